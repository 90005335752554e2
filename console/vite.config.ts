import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { join } from "node:path";
import { defineConfig } from "vite";
import type { Rolldown } from "vite";
import { design } from "./design-plugin.ts";
import { assetsPath } from "./pages.ts";

/**
 * What every page loads, and what home shares with other pages, as one chunk each: they compress better than many small ones,
 * and take fewer requests.
 */
const chunks: readonly Rolldown.CodeSplittingGroup[] = [
  {
    debugName: "shell",
    name: (id, context) => (importedBy("main.tsx", context).has(id) ? "shell" : null),
  },
  {
    debugName: "lists",
    name: (id, context) =>
      importedBy("pages/home/home-page.tsx", context).has(id) &&
      ["tool/tool-page.tsx", "runs/runs-page.tsx", "imports/imports-page.tsx"].some((page) =>
        importedBy(`pages/${page}`, context).has(id),
      )
        ? "lists"
        : null,
  },
];

// Barrels name all modules of their packages, so what they import says nothing.
const barrels =
  /\/(?:lucide-react\/dist\/esm\/[\w-]+|react-aria-components\/dist\/exports\/index|react-aria\/dist\/exports\/useMenu)\.m?js$/;
const found = new Map<string, Set<string>>();

/** A module and all that it imports statically. */
function importedBy(path: string, context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const known = found.get(path);
  if (known !== undefined) return known;
  const ids = new Set([join(import.meta.dirname, "src", path)]);
  for (const id of ids) {
    if (barrels.test(id)) continue;
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) ids.add(imported);
  }
  found.set(path, ids);
  return ids;
}

/** The console's bundle. `dev.ts` serves it without a build. */
export default defineConfig({
  root: import.meta.dirname,
  base: `${assetsPath}/`,
  plugins: [design, react(), tailwindcss()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // The compiler of the code editor is one large file, which is loaded only when it is needed.
    chunkSizeWarningLimit: 8_000,
    // Without inlined assets, the content security policy needs no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [...chunks] } } },
    // The first versions with `light-dark()`, which would become twice as long otherwise.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
  worker: { format: "es" },
});
