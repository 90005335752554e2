/** Values in a query that reveal what it is about, and words of tools that take them. */
const hints: readonly [pattern: RegExp, words: readonly string[]][] = [
  [/\d\s*\+\s*\d/, ["add", "sum", "calculate"]],
  [/\d\s+[-−–]\s+\d/, ["subtract", "calculate"]],
  [/\d\s*[*×]\s*\d|\d\s+x\s+\d/, ["multiply", "calculate"]],
  [/\d\s*÷\s*\d|\d\s+\/\s+\d/, ["divide", "calculate"]],
  [/https?:\/\/|\bwww\./i, ["url", "link", "website"]],
  [/\S@\S+\.\p{L}/u, ["email", "mail"]],
  [/[$€£¥]\s?\d|\d\s?[€£¥$]/, ["currency", "amount", "price"]],
  [/\d\s?%/, ["percent", "percentage"]],
  [/\d{4}-\d{2}-\d{2}/, ["date"]],
  [/#[0-9a-f]{6}\b/i, ["color", "hex"]],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/, ["ip", "address"]],
  [/°\s?[CF]\b/i, ["temperature"]],
  [
    /\bin \d+ (?:day|week|month|year)s?\b|\b\d+ (?:day|week|month|year)s? (?:ago|from|later|after|before)\b/i,
    ["date", "add"],
  ],
  [/-?\d{1,3}\.\d{3,},\s*-?\d{1,3}\.\d{3,}/, ["coordinate", "location"]],
];

/** The words that each kind of value in a text stands for. */
export function hintsOf(text: string): (readonly string[])[] {
  return hints.filter(([pattern]) => pattern.test(text)).map(([, words]) => words);
}
