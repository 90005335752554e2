import type { editor as Editor } from "monaco-editor/editor.js";
import { isDark } from "#lib/theme";

/** Shows every editor in the colors of the page, now and when they change. */
export function followTheme(editor: typeof Editor): void {
  const apply = () => {
    const name = isDark() ? "toolhost-dark" : "toolhost-light";
    editor.defineTheme(name, {
      base: isDark() ? "vs-dark" : "vs",
      inherit: true,
      // The editor's own green is too dim on our dark paper.
      rules: [{ token: "comment", foreground: colorOf("--soft").slice(1) }],
      colors: {
        "editor.background": colorOf("--paper"),
        "editor.foreground": colorOf("--text"),
        "editorLineNumber.foreground": colorOf("--soft"),
        "editorLineNumber.dimmedForeground": colorOf("--soft"),
        "editorLineNumber.activeForeground": colorOf("--text"),
        "editorWidget.background": colorOf("--paper"),
        "editorWidget.border": colorOf("--line"),
        "editorHoverWidget.background": colorOf("--paper"),
        "editorSuggestWidget.background": colorOf("--paper"),
        "editorGutter.background": colorOf("--paper"),
        focusBorder: colorOf("--strong"),
      },
    });
    editor.setTheme(name);
  };
  apply();
  new MutationObserver(apply).observe(document.documentElement, {
    attributeFilter: ["data-theme"],
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
}

/** What a color of the page is now, as the editor writes colors. */
function colorOf(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const parts = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [];
  probe.remove();
  return `#${parts
    .slice(0, 3)
    .map((part) => Math.round(Number(part)).toString(16).padStart(2, "0"))
    .join("")}`;
}
