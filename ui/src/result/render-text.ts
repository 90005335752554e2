import { button, h } from "../dom.ts";
import * as messages from "./messages.ts";

const initialLength = 2_000;
const pageLength = 50_000;

/** Renders plain text. Long text is shown part by part, because a page with all of it would freeze. */
export function renderText(
  text: string,
  display: "block" | "inline" | "code" = "block",
): HTMLElement {
  const first = slice(text, 0, initialLength);
  const body =
    display === "code" ? h("pre", { tabindex: 0 }, first) : h("span", { class: "text" }, first);
  if (first.length === text.length) return body;
  let shown = first.length;
  const more = button("", () => {
    const next = slice(text, shown, pageLength);
    body.append(next);
    shown += next.length;
    update();
  });
  const update = () => {
    const left = text.length - shown;
    more.textContent = messages.showMoreText(left);
    more.hidden = left === 0;
  };
  update();
  return h(display === "inline" ? "span" : "div", {}, body, " ", more);
}

/** A part of the text that does not split a surrogate pair. */
function slice(text: string, from: number, length: number): string {
  const to = from + length;
  const splitsPair = /[\uD800-\uDBFF]/.test(text[to - 1] ?? "") && to < text.length;
  return text.slice(from, splitsPair ? to + 1 : to);
}
