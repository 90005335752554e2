import { join } from "node:path";
import { build } from "esbuild";

/** Bundles the widget into one script that can be part of a page. */
export async function bundleWidget(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../src/widget/main.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome123", "firefox120", "safari17.5"],
    legalComments: "none",
    charset: "utf8",
    write: false,
  });
  // These sequences would end the script element or change how it is parsed.
  return (outputFiles[0]?.text ?? "")
    .trim()
    .replaceAll("</script", "<\\/script")
    .replaceAll("<!--", "<\\!--");
}
