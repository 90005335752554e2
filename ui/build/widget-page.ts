import { createHash } from "node:crypto";
import { join } from "node:path";
import { build } from "esbuild";
import { styles } from "../src/styles.ts";

/** Where the widget is found. Hosts keep what they read of it, so what changes incompatibly gets another number. */
export const widgetUri = "ui://service/tool-runner-v1.html";

const page = `html{color-scheme:light dark;background:transparent}body{margin:0;padding:12px;background:transparent}`;

let script: Promise<string> | undefined;

/**
 * The widget as one page that needs nothing but itself. It lets nothing run but its own script, and talks to no other server
 * than `uploadOrigin`, which takes large files. The script is bundled at the first call and kept.
 */
export async function makeWidgetPage(uploadOrigin: string): Promise<string> {
  script ??= bundle();
  const code = await script;
  const style = `${page}${styles}`;
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(code)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data: blob:",
    `connect-src ${new URL(uploadOrigin).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Tool</title>
<style>${style}</style>
</head>
<body>
<main id="app"></main>
<script>${code}</script>
</body>
</html>
`;
}

async function bundle(): Promise<string> {
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
  // The parser of HTML would end the script at this.
  return (outputFiles[0]?.text ?? "")
    .trim()
    .replaceAll("</script", "<\\/script")
    .replaceAll("<!--", "<\\!--");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
