import { join } from "node:path";
import { build, transform } from "esbuild";
import { controls, tokens } from "../src/design/index.ts";
import { styles } from "../src/styles.ts";

/** The parts of a page that contains the widget. */
export type WidgetBundle = { script: string; style: string };

const target = ["chrome123", "firefox120", "safari17.5"];
const pageStyle = "html,body{background:transparent}body{margin:0;padding:.75rem}";

/** Bundles the widget into one script and one style sheet that can be part of a page. */
export async function bundleWidget(): Promise<WidgetBundle> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../src/widget/main.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    target,
    legalComments: "none",
    charset: "utf8",
    write: false,
  });
  // These sequences would end the script element or change how it is parsed.
  const script = (outputFiles[0]?.text ?? "")
    .trim()
    .replaceAll("</script", "<\\/script")
    .replaceAll("<!--", "<\\!--");
  const css = `${tokens}${pageStyle}${controls}${styles}`;
  const { code } = await transform(css, { loader: "css", minify: true, target });
  return { script, style: code.trim() };
}
