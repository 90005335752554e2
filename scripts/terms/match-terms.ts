import type { Kind } from "./scan-source.ts";
import { counted, forbidden, type Term } from "./terms.ts";

/** Forbidden terms fail the check; counted ones are reported. */
export type State = "forbidden" | "counted";

export type Match = { at: number; found: string; use: string; state: State; pattern: string };

type Rule = Term & { state: State; source: string; word: RegExp };

const wordStart = String.raw`(?<![\p{L}\p{N}_-])`;
const wordEnd = String.raw`(?![\p{L}\p{N}_-])`;

const toRules = (terms: readonly Term[], state: State, kind: Kind): Rule[] =>
  terms
    .filter((term) => (term.in ?? ["name", "comment", "text"]).includes(kind))
    .map((term) => {
      const source = term.pattern.replaceAll(" ", "\\s+");
      return { ...term, state, source, word: new RegExp(`(?:${source})${wordEnd}`, "iuy") };
    });

function rulesOf(kind: Kind) {
  // Ordered by severity: the first alternative that matches wins.
  const rules = [...toRules(forbidden, "forbidden", kind), ...toRules(counted, "counted", kind)];
  // A single expression scans the text; the rule is looked up only where it matches.
  const any = rules.map(({ source }) => source).join("|");
  return { rules, any: new RegExp(`${wordStart}(?:${any})${wordEnd}`, "giu") };
}

const rulesByKind = { name: rulesOf("name"), comment: rulesOf("comment"), text: rulesOf("text") };

/** Splits an identifier or file name into words: `toolName`, `tool-name` and `tool_name` become "tool name". */
export function splitName(name: string): string {
  return name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1$3 $2$4")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Finds every term in a text of the given kind. Names must be split first. */
export function* matchTerms(text: string, kind: Kind): Generator<Match> {
  const { rules, any } = rulesByKind[kind];
  for (const { 0: found, index: at } of text.matchAll(any)) {
    const rule = rules.find(({ word }) => {
      word.lastIndex = at;
      return word.exec(text)?.[0] === found;
    });
    if (rule === undefined) continue;
    const context = text.slice(Math.max(0, at - 40), at + found.length + 40);
    if (rule.allow?.test(context.replaceAll(/\s+/g, " ")) === true) continue;
    const { use, state, pattern } = rule;
    yield { at, found: found.replaceAll(/\s+/g, " "), use, state, pattern };
  }
}
