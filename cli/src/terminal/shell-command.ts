/**
 * A command that the user can paste into a shell. Values are quoted, because they can come from the service or from a cloned
 * project.
 */
export function command(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts
    .map((text, at) => text + (at < values.length ? quote(values[at] ?? "") : ""))
    .join("");
}

function quote(value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  // Control characters would end the line, or change what the terminal shows.
  // oxlint-disable-next-line no-control-regex -- these are what it finds
  const clean = value.replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, " ");
  return `'${clean.replaceAll("'", `'\\''`)}'`;
}
