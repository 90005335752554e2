import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
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
    // The first versions with `light-dark()`, which would become twice as long otherwise.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
  worker: { format: "es" },
});
