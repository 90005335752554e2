import type { editor as Editor } from "monaco-editor/editor.js";
import { isDark } from "#lib/theme";

/** Applies the colors of the page to every editor, now and when they change. */
export function followTheme(editor: typeof Editor): void {
  const apply = () => {
    const name = isDark() ? "toolhost-dark" : "toolhost-light";
    editor.defineTheme(name, {
      base: isDark() ? "vs-dark" : "vs",
      inherit: true,
      // The default comment color has too little contrast on the dark background.
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

/** The current value of a CSS color variable, as #rrggbb. */
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
