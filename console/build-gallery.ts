import { join } from "node:path";
import { build } from "vite";

/** Builds the page of all components with the settings of the console. Takes some seconds. Returns the path of its document. */
export async function buildGallery(outDir: string): Promise<string> {
  await build({
    configFile: join(import.meta.dirname, "vite.config.ts"),
    configLoader: "native",
    logLevel: "error",
    mode: "production",
    base: "/",
    build: { outDir, rolldownOptions: { input: join(import.meta.dirname, "gallery/index.html") } },
  });
  return "gallery/index.html";
}
