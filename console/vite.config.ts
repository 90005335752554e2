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
 * The editor names its TypeScript worker itself, although the console has one of its own that can do more. Some megabytes that
 * nobody would ever load are left out.
 */
const leaveOutWorker: Plugin = {
  name: "leave-out-worker",
  apply: "build",
  transform: {
    filter: {
      id: /monaco-editor\/esm\/vs\/languages\/features\/(?:typescript|json)\/workerManager\.js$/,
    },
    handler: (code) => code.replace(/createWorker: \(\) => new Worker\([^)]*\)[^)]*\),/, ""),
  },
};

/** How the console is bundled. `npm run dev -w @toolhost/console` serves it beside a service that runs already. */
export default defineConfig({
  root: import.meta.dirname,
  base: `${assetsPath}/`,
  plugins: [react(), tailwindcss(), leaveOutWorker],
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
      ["/api", "/sign-in", "/sign-up", "/oauth", "/oauth2", "/bot", "/healthz"].map((path) => [
        path,
        toService,
      ]),
    ),
  },
});
