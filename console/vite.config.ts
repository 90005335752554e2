import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { join } from "node:path";
import { defineConfig } from "vite";
import type { Plugin, Rolldown } from "vite";
import { design } from "./design-plugin.ts";
import { assetsPath } from "./pages.ts";

/**
 * Removes parts of the editor that it would load by itself: its TypeScript and JSON workers, which the console replaces with
 * its own, and features of its languages, which fail when they are loaded after the editor has started. The console lists the
 * features that it loads in `editor/features.ts`.
 */
const leanEditor: Plugin = {
  name: "lean-editor",
  apply: "build",
  transform: {
    filter: {
      id: /monaco-editor\/esm\/vs\/(?:languages\/features\/\w+\/workerManager|internal\/common\/workers)\.js$/,
    },
    handler: (code) =>
      code
        .replace(/createWorker: \(\) => new Worker\([^)]*\)[^)]*\),/, "")
        .replaceAll(/^import '[^']+';$/gm, ""),
  },
};

/**
 * Everything that `main.tsx` imports, as one chunk: it compresses better than many small ones. Barrels are left out, because they
 * name all modules of their packages.
 */
const shell: Rolldown.CodeSplittingGroup = {
  name: (id, context) => (importedAtStart(context).has(id) ? "shell" : null),
  debugName: "shell",
};

const barrels =
  /\/(?:lucide-react\/dist\/esm\/[\w-]+|react-aria-components\/dist\/exports\/index|react-aria\/dist\/exports\/useMenu)\.m?js$/;
let atStart: Set<string> | undefined;

function importedAtStart(context: Rolldown.ChunkingContext): Set<string> {
  if (atStart !== undefined) return atStart;
  atStart = new Set([join(import.meta.dirname, "src/main.tsx")]);
  for (const id of atStart) {
    if (barrels.test(id)) continue;
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) atStart.add(imported);
  }
  return atStart;
}

/** The console's bundle. `dev.ts` serves it without a build. */
export default defineConfig({
  root: import.meta.dirname,
  base: `${assetsPath}/`,
  plugins: [design, react(), tailwindcss(), leanEditor],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // The editor is one large file, which is loaded only when it is opened.
    chunkSizeWarningLimit: 8_000,
    // Without inlined assets, the content security policy needs no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [shell] } } },
    // The first versions with `light-dark()`, which would become twice as long otherwise.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
  worker: { format: "es" },
});
