/** A comment that exempts words on its own line or on the next one. */
export type Directive = {
  line: number;
  appliesTo: number;
  words: string[];
  hasReason: boolean;
  isUsed: boolean;
};

const syntax =
  /check-terms-disable-(next-)?line ([a-z][^\n]*?)(?: -- ([^\n]*?))?\s*(?:-->|\*\/|\n|$)/g;

export function readDirectives(source: string, lineAt: (at: number) => number): Directive[] {
  return [...source.matchAll(syntax)].map(({ index, 1: next, 2: words = "", 3: reason = "" }) => {
    const line = lineAt(index);
    return {
      line,
      appliesTo: next === undefined ? line : line + 1,
      words: words.split(",").map((word) => word.trim().toLowerCase()),
      hasReason: reason !== "",
      isUsed: false,
    };
  });
}

/** Replaces directives with spaces, so that the words they list are not reported. */
export function blankDirectives(source: string): string {
  return source.replaceAll(syntax, (text) => text.replaceAll(/[^\n]/g, " "));
}

export function describeProblem({ hasReason, isUsed, words }: Directive): string | undefined {
  if (!hasReason) return 'a check-terms directive needs a reason after " -- "';
  return isUsed ? undefined : `unused check-terms directive for "${words.join(", ")}"`;
}
