import { h } from "../dom.ts";
import type { Child } from "../dom.ts";
import { createLink } from "./link.ts";
import type { ResultHost } from "./link.ts";
import * as messages from "./messages.ts";

const maxLength = 20_000;
const maxDepth = 6;

/** Renders emphasis, code and links. Each step moves forward, so the time grows linearly with the text at each depth. */
export function renderInline(text: string, host: ResultHost, depth = 0): Child[] {
  if (depth > maxDepth || text.length > maxLength) return [text];
  const children: Child[] = [];
  let plain = "";
  let at = 0;
  // A closing marker that was not found does not follow later either.
  const missing = new Set<string>();
  while (at < text.length) {
    const mark = readMark(text, at, missing);
    if (mark === undefined) {
      plain += text[at] ?? "";
      at += 1;
      continue;
    }
    if (plain !== "") children.push(plain);
    plain = "";
    children.push(renderMark(mark, host, depth));
    at = mark.end;
  }
  return plain === "" ? children : [...children, plain];
}

type Mark =
  | { kind: "escaped" | "code" | "strong" | "em" | "del" | "url"; inside: string; end: number }
  | { kind: "link"; inside: string; url: string; isImage: boolean; end: number };

function renderMark(mark: Mark, host: ResultHost, depth: number): Child {
  switch (mark.kind) {
    case "escaped":
      return mark.inside;
    case "code":
      return h("code", {}, mark.inside);
    case "url":
      return createLink(host, mark.inside);
    case "link": {
      const { inside, url, isImage } = mark;
      // Images are linked, not loaded: loading one would let its server track the user who sees it.
      if (isImage) return createLink(host, url, messages.linkedImage(inside));
      return createLink(host, url, ...renderInline(inside, host, depth + 1));
    }
    default:
      return h(mark.kind, {}, ...renderInline(mark.inside, host, depth + 1));
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
  const char = text[at] ?? "";
  if (char === "\\" && /[\\`*_[\]()#~!|>-]/.test(text[at + 1] ?? "")) {
    return { kind: "escaped", inside: text[at + 1] ?? "", end: at + 2 };
  }
  if (char === "`") {
    const inside = between(text, { at, open: "`", close: "`" }, missing);
    return inside && { kind: "code", ...inside };
  }
  if (char === "[" || (char === "!" && text[at + 1] === "[")) return readLink(text, at, missing);
  if (char === "h" && !/\w/.test(text[at - 1] ?? "")) {
    const [found] = /^https?:\/\/[^\s<>"'\]]{1,2000}/.exec(text.slice(at, at + 2_010)) ?? [];
    const url = found?.slice(0, findClosing(found, 0) ?? found.length);
    const trimmed = url?.replace(/[.,;:!?]{1,10}$/, "");
    if (trimmed === undefined) return undefined;
    return { kind: "url", inside: trimmed, end: at + trimmed.length };
  }
  for (const [open, kind] of pairs) {
    if (!text.startsWith(open, at)) continue;
    // An underscore inside a word, as in snake_case, is not emphasis.
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
  const close = findClosing(text, name.end);
  if (close === undefined) return undefined;
  const [target = ""] = text.slice(name.end, close).trim().split(/\s/, 1);
  return { kind: "link", inside: name.inside, url: target, isImage, end: close + 1 };
}

const maxUrlLength = 2_100;

/** Finds the parenthesis that closes a link. URLs may contain balanced parentheses. */
function findClosing(text: string, from: number): number | undefined {
  let open = 0;
  const end = Math.min(text.length, from + maxUrlLength);
  for (let at = from; at < end; at += 1) {
    if (text[at] === "(") open += 1;
    else if (text[at] === ")" && open === 0) return at;
    else if (text[at] === ")") open -= 1;
  }
  return undefined;
}
