/** A value in a query, words of tools that take its kind, and how much they count relative to a word of the query. */
export type Hint = { value: string; words: readonly string[]; weight: number };

/** Weight of a hint from a value alone, and from an operator, which says what to do. */
const valueWeight = 0.4;
const operatorWeight = 1;

const operators: readonly [pattern: RegExp, words: readonly string[]][] = [
  [/\d\s*\+\s*\d|\d plus \d/i, ["add", "sum", "calculate"]],
  [/\d\s+[-−–]\s+\d|\d minus \d/i, ["subtract", "calculate"]],
  [/\d\s*[*×]\s*\d|\d (?:x|times|multiplied by) \d/i, ["multiply", "product", "calculate"]],
  [/\d\s*÷\s*\d|\d \/ \d|\d divided by \d/i, ["divide", "calculate"]],
  [/\d\s?(?:%|percent) of\b/i, ["percent", "percentage", "calculate"]],
];

const values: readonly [pattern: RegExp, words: readonly string[]][] = [
  [
    /https?:\/\/|\bwww\.|\b[a-z\d-]{2,60}\.(?:com|org|net|io|dev|app|edu|gov)\b/i,
    ["url", "website"],
  ],
  [/\S@\S{1,100}\.\p{L}/u, ["email", "mail"]],
  [/[$€£¥]\s?\d|\d\s?[€£¥$]/, ["currency", "amount", "price"]],
  [/\d\s?%/, ["percent", "percentage"]],
  [/\d{4}-\d{2}-\d{2}/, ["date"]],
  [/#[0-9a-f]{6}\b/i, ["color", "hex"]],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/, ["ip", "address"]],
  [/°\s?[CF]\b/i, ["temperature"]],
  [/\bin \d+ (?:day|week|month|year)s?\b/i, ["date", "add"]],
  [/\b\d+ (?:day|week|month|year)s? (?:ago|from|later|after|before)\b/i, ["date", "add"]],
  [/-?\d{1,3}\.\d{3,},\s*-?\d{1,3}\.\d{3,}/, ["coordinate", "location"]],
];

/** What the values in a query reveal about it. */
export function hintsOf(text: string): Hint[] {
  const hints = [
    ...operators.map(([pattern, words]) => ({ pattern, words, weight: operatorWeight })),
    ...values.map(([pattern, words]) => ({ pattern, words, weight: valueWeight })),
  ];
  return hints.flatMap(({ pattern, words, weight }) => {
    const value = pattern.exec(text)?.[0];
    return value === undefined ? [] : [{ value, words, weight }];
  });
}
