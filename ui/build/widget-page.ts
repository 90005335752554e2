import { createHash } from "node:crypto";
import type { WidgetBundle } from "./bundle-widget.ts";

/** The URI of the widget. Hosts cache it, so an incompatible change needs a new version number. */
export const widgetUri = "ui://service/tool-runner-v1.html";

let bundle: Promise<WidgetBundle> | undefined;

/**
 * Builds the widget as one self-contained page. Its content security policy allows only its own script, and connections only
 * to `uploadOrigin`, for large files. It is bundled at the first call and cached.
 */
export async function buildWidgetPage(uploadOrigin: string): Promise<string> {
  bundle ??= import("./bundle-widget.ts").then(({ bundleWidget }) => bundleWidget());
  const { script, style } = await bundle;
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
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
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
