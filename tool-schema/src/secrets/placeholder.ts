/** What documentation and scripts write in the place of a value: `$TOKEN`, `{id}`, `<key>`, `YOUR_API_KEY`. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  return (
    /^(?:\$\{?\w+\}?|\$\([^()]*\)|`[^`]*`|\{\{?[^{}]*\}?\}|<[^<>]*>|\[[\w\s-]+\]|%\w+%|:\w+)$/.test(
      text,
    ) ||
    /^(?:your|my|insert|replace|enter)[-_ ]|^(?:x{3,}|\*{3,}|\.{3,}|…)$|(?:api[-_]?key|token|secret|password)[-_]?(?:here|value)$|^(?:api[-_]?key|access[-_]?token|token|secret|password)$/i.test(
      text,
    )
  );
}
