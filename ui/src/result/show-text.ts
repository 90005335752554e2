import { button, h } from "../dom.ts";
import { valueMessages } from "./messages.ts";

const shortText = 2_000;
const atOnce = 50_000;

/** Text as it is, line by line; a long one in parts, as a page with all of it would stand still. */
export function showText(text: string, how: "block" | "inline" | "code" = "block"): HTMLElement {
  const first = cut(text, 0, shortText);
  const body =
    how === "code" ? h("pre", { tabindex: 0 }, first) : h("span", { class: "text" }, first);
  if (first.length === text.length) return body;
  let shown = first.length;
  const more = button("", () => {
    const next = cut(text, shown, atOnce);
    body.append(next);
    shown += next.length;
    update();
  });
  const update = () => {
    const left = text.length - shown;
    more.textContent = valueMessages.moreText(left);
    more.hidden = left === 0;
  };
  update();
  return h(how === "inline" ? "span" : "div", {}, body, " ", more);
}

/** A part of the text that ends within no character. */
function cut(text: string, from: number, length: number): string {
  const to = from + length;
  const isWithin = /[\uD800-\uDBFF]/.test(text[to - 1] ?? "") && to < text.length;
  return text.slice(from, isWithin ? to + 1 : to);
}
