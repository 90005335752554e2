import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const tint = (name: string, percent: number) =>
  `color-mix(in srgb, var(${name}) ${percent}%, transparent)`;

/** Both colors of the mix have a contrast of at least 4.5 on the background, so the mix has it too. */
const typeColor = "color-mix(in srgb, var(--strong), var(--good))";

const highlighting = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: "var(--soft)", fontStyle: "italic" },
  {
    tag: [tags.keyword, tags.self, tags.bool, tags.null, tags.atom, tags.modifier],
    color: "var(--strong)",
  },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: "var(--warn)" },
  { tag: tags.escape, color: "var(--bad)" },
  { tag: tags.number, color: "var(--good)" },
  { tag: [tags.typeName, tags.className, tags.namespace], color: typeColor },
  { tag: tags.definition(tags.propertyName), color: "inherit" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

const wavy = (color: string) => ({
  backgroundImage: "none",
  textDecoration: `underline wavy ${color} 1px`,
  textUnderlineOffset: "3px",
  textDecorationSkipInk: "none",
});

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--paper)", color: "var(--text)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "32px" },
  ".cm-activeLine": { backgroundColor: tint("--text", 5) },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: tint("--strong", 18) },
  ".cm-selectionMatch": { backgroundColor: tint("--text", 10) },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch-selected": {
    backgroundColor: tint("--warn", 15),
    outline: "2px solid var(--warn)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--edge)",
  },
  "&.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--bad)",
  },
  ".cm-specialChar": { color: "var(--bad)" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    color: "var(--soft)",
  },
  ".cm-lintRange-error": wavy("var(--bad)"),
  ".cm-lintRange-warning": wavy("var(--warn)"),
  ".cm-lintRange-hint": { backgroundImage: "none" },
  ".cm-lintRange-active": { backgroundColor: "var(--strong-soft)" },
  // Transparency would make the contrast of colored code too weak.
  ".cm-unnecessary, .cm-unnecessary *": { color: "var(--soft) !important", fontStyle: "italic" },
  ".cm-deprecated, .cm-tooltip-autocomplete .cm-deprecated": { textDecoration: "line-through" },
});

const popups = EditorView.theme({
  ".cm-tooltip": {
    zIndex: "50",
    maxWidth: "min(38rem, 90vw)",
    backgroundColor: "var(--overlay)",
    color: "var(--text)",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--r)",
    boxShadow: "var(--shadow-float)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)",
    maxHeight: "14em",
    "& > li": { padding: "1px 6px" },
    "& > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-tooltip.cm-completionInfo": { padding: "0" },
  ".cm-diagnostic": { padding: "4px 8px", fontSize: "var(--size-sm)" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
  ".cm-diagnostic-hint": { borderLeft: "3px solid var(--edge)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--raised)",
    color: "var(--strong)",
    fontWeight: "500",
  },
  ".cm-description": {
    padding: "6px 8px",
    maxHeight: "16rem",
    overflow: "auto",
    fontFamily: "var(--sans)",
    fontSize: "var(--size-sm)",
    whiteSpace: "pre-wrap",
    "& code": { display: "block" },
    "& b": { color: "var(--strong)" },
    "& p": { marginTop: "4px" },
  },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", zIndex: "10" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search, .cm-dialog": {
    padding: "6px 8px",
    fontFamily: "var(--sans)",
    "& input, & button, & label": { fontSize: "var(--size-sm)" },
    "& button[name=close]": { color: "var(--text)", fontSize: "1.1rem", right: "6px" },
  },
  ".cm-textfield": {
    backgroundColor: "var(--paper)",
    border: "1px solid var(--edge)",
    borderRadius: "var(--r-sm)",
    padding: "3px 6px",
  },
  ".cm-button": {
    background: "var(--paper)",
    border: "1px solid var(--edge)",
    borderRadius: "var(--r-sm)",
    padding: "3px 8px",
  },
});

const comparison = EditorView.theme({
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--bad-soft)" },
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "var(--good-soft)" },
  // Every color of code has a contrast of at least 4.5 on the marks.
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: "var(--bad-mark)",
  },
  "&.cm-merge-b .cm-changedText": { background: "var(--good-mark)" },
  ".cm-collapsedLines": {
    background: "var(--raised)",
    color: "var(--soft)",
    "&:before, &:after": { content: '"⋯"' },
  },
});

/** The colors and sizes of an editor, from the design of the console. They follow its light and dark theme. */
export const theme: Extension = [look, popups, syntaxHighlighting(highlighting)];

/** The same for a comparison of two texts. */
export const comparisonTheme: Extension = [theme, comparison];
