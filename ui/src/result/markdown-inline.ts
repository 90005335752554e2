import { h } from "../dom.ts";
import type { Child } from "../dom.ts";
import { makeLink } from "./links.ts";
import type { ResultHost } from "./links.ts";
import { markdownMessages } from "./messages.ts";

const longest = 20_000;
const deepest = 6;

/** Shows a line of Markdown: emphasis, code and links. Each step reads on, so its time grows with the text alone. */
export function showInline(text: string, host: ResultHost, depth = 0): Child[] {
  if (depth > deepest || text.length > longest) return [text];
  const shown: Child[] = [];
  let plain = "";
  let at = 0;
  // What was looked for and not found is not there further on either.
  const missing = new Set<string>();
  while (at < text.length) {
    const found = readMark(text, at, missing);
    if (found === undefined) {
      plain += text[at] ?? "";
      at += 1;
      continue;
    }
    if (plain !== "") shown.push(plain);
    plain = "";
    shown.push(showMark(found, host, depth));
    at = found.end;
  }
  return plain === "" ? shown : [...shown, plain];
}

type Mark =
  | { kind: "escaped" | "code" | "strong" | "em" | "del" | "address"; inside: string; end: number }
  | { kind: "link"; inside: string; address: string; isImage: boolean; end: number };

function showMark(mark: Mark, host: ResultHost, depth: number): Child {
  switch (mark.kind) {
    case "escaped":
      return mark.inside;
    case "code":
      return h("code", {}, mark.inside);
    case "address":
      return makeLink(host, mark.inside);
    case "link": {
      const { inside, address, isImage } = mark;
      // An image elsewhere is named, not loaded: loading it would tell its server who looks.
      if (isImage) return makeLink(host, address, markdownMessages.image(inside));
      return makeLink(host, address, ...showInline(inside, host, depth + 1));
    }
    default:
      return h(mark.kind, {}, ...showInline(mark.inside, host, depth + 1));
  }
}

const pairs = [
  ["**", "strong"],
  ["__", "strong"],
  ["~~", "del"],
  ["*", "em"],
  ["_", "em"],
] as const;

function readMark(text: string, at: number, missing: Set<string>): Mark | undefined {
  const sign = text[at] ?? "";
  if (sign === "\\" && /[\\`*_[\]()#~!|>-]/.test(text[at + 1] ?? "")) {
    return { kind: "escaped", inside: text[at + 1] ?? "", end: at + 2 };
  }
  if (sign === "`") {
    const inside = between(text, { at, open: "`", close: "`" }, missing);
    return inside && { kind: "code", ...inside };
  }
  if (sign === "[" || (sign === "!" && text[at + 1] === "[")) return readLink(text, at, missing);
  if (sign === "h" && !/\w/.test(text[at - 1] ?? "")) {
    const [found] = /^https?:\/\/[^\s<>"'\]]{1,2000}/.exec(text.slice(at, at + 2_010)) ?? [];
    const address = found?.slice(0, closingAt(found, 0) ?? found.length);
    const trimmed = address?.replace(/[.,;:!?]{1,10}$/, "");
    if (trimmed === undefined) return undefined;
    return { kind: "address", inside: trimmed, end: at + trimmed.length };
  }
  for (const [open, kind] of pairs) {
    if (!text.startsWith(open, at)) continue;
    // snake_case names are no emphasis.
    if (open.startsWith("_") && /\w/.test(text[at - 1] ?? "")) return undefined;
    const inside = between(text, { at, open, close: open }, missing);
    if (inside === undefined || /^\s|\s$/.test(inside.inside)) continue;
    return { kind, ...inside };
  }
  return undefined;
}

type Span = { at: number; open: string; close: string };

function between(
  text: string,
  { at, open, close }: Span,
  missing: Set<string>,
): { inside: string; end: number } | undefined {
  if (missing.has(close)) return undefined;
  const from = at + open.length;
  const to = text.indexOf(close, from);
  if (to === -1) missing.add(close);
  return to <= from ? undefined : { inside: text.slice(from, to), end: to + close.length };
}

function readLink(text: string, at: number, missing: Set<string>): Mark | undefined {
  const isImage = text[at] === "!";
  const open = isImage ? "![" : "[";
  const name = between(text, { at, open, close: "](" }, missing);
  if (name === undefined || name.inside.length > 1_000) return undefined;
  const close = closingAt(text, name.end);
  if (close === undefined) return undefined;
  const [target = ""] = text.slice(name.end, close).trim().split(/\s/, 1);
  return { kind: "link", inside: name.inside, address: target, isImage, end: close + 1 };
}

const maxAddressLength = 2_100;

/** Where a parenthesis closes that opened before; an address may have pairs of its own. */
function closingAt(text: string, from: number): number | undefined {
  let open = 0;
  const end = Math.min(text.length, from + maxAddressLength);
  for (let at = from; at < end; at += 1) {
    if (text[at] === "(") open += 1;
    else if (text[at] === ")" && open === 0) return at;
    else if (text[at] === ")") open -= 1;
  }
  return undefined;
}
