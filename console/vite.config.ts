import process from "node:process";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { assetsPath } from "./pages.ts";

/** The service that the console is tried against while it is worked on. */
const service = process.env["TOOLHOST_URL"] ?? "http://localhost:3000";

/** Takes a request to the service as if it came from the service's own page. */
const toService = { target: service, changeOrigin: true, headers: { origin: service } };

/**
 * What the editor brings along unasked. It names its own TypeScript and JSON workers, although the console has some that can do
 * more; and its languages load every feature there is, after the editor has begun, which then lacks what those need. Which
 * features there are is said in the console's own list.
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

/** How the console is bundled. `npm run dev -w @toolhost/console` serves it beside a service that runs already. */
export default defineConfig({
  root: import.meta.dirname,
  base: `${assetsPath}/`,
  plugins: [react(), tailwindcss(), leanEditor],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // The editor comes as one large file, and only to whoever opens it.
    chunkSizeWarningLimit: 8_000,
    // An address of its own for each file keeps `data:` out of the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: "es" },
  server: {
    proxy: Object.fromEntries(
      ["/api/", "/sign-in", "/sign-up", "/oauth", "/oauth2", "/bot", "/healthz"].map((path) => [
        path,
        toService,
      ]),
    ),
  },
});
