import { unmaskLinks } from "#core/chat";
import { nothing } from "../code-block.ts";

/** An element or input of an Adaptive Card. */
export type CardElement = { type: string } & Readonly<Record<string, unknown>>;

type Style = { isBold?: boolean; isCode?: boolean };

const url = /(\bhttps?:\/\/[a-z\d][a-z\d.-]*(?::\d+)?(?:[/?#][^\s<>"]*)?)/i;

/** Text that Teams shows literally, with its URLs as links: a text run has no markup and cannot mention anyone. */
export function literal(text: string, style: Style = {}): CardElement {
  return { type: "RichTextBlock", inlines: toRuns(text, style) };
}

/** The runs of literal text. */
export function toRuns(text: string, style: Style = {}): CardElement[] {
  return text
    .split(url)
    .flatMap((part, index) => (part === "" ? [] : [toRun(part, style, index % 2 === 1)]));
}

function toRun(text: string, { isBold, isCode }: Style, isUrl: boolean): CardElement {
  const end = isUrl ? (/[.,;:!?'")\]}]*$/.exec(text)?.[0] ?? "") : "";
  const target = text.slice(0, text.length - end.length);
  return {
    type: "TextRun",
    text: withoutFunctions(text),
    ...(isBold === true ? { weight: "Bolder" } : {}),
    ...(isCode === true ? { fontType: "Monospace" } : {}),
    ...(isUrl && URL.canParse(target)
      ? { selectAction: { type: "Action.OpenUrl", url: target } }
      : {}),
  };
}

/** A label with a URL. */
export function toLink(label: string, target: string): CardElement {
  const selectAction = { type: "Action.OpenUrl", url: target };
  const run = { type: "TextRun", text: withoutFunctions(label) || target, selectAction };
  return { type: "RichTextBlock", inlines: [run] };
}

/** Markdown without mentions, and with every URL visible. */
export function toMarkdown(text: string): CardElement {
  const safe = withoutFunctions(unmaskLinks(text)).replaceAll(/<(?=\/?at\b)/gi, `<${nothing}`);
  return { type: "TextBlock", text: safe, wrap: true };
}

/** Cards replace functions such as `{{DATE(…)}}` in texts. */
export function withoutFunctions(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, `{${nothing}`);
}
