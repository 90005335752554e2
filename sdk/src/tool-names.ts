/**
 * Names of functions for tools: `add_numbers_x7k2` becomes `addNumbers`, or `addNumbersX7k2` if another tool has the same name
 * without its suffix. Each name is unique and consists of letters, digits and underscores.
 */
export function nameFunctions(toolNames: readonly string[]): Map<string, string> {
  const short = countBy(toolNames, (name) => toCamelCase(withoutSuffix(name)));
  const full = countBy(toolNames, toCamelCase);
  const names = new Map<string, string>();
  for (const toolName of new Set(toolNames)) {
    const shortName = toCamelCase(withoutSuffix(toolName));
    const fullName = toCamelCase(toolName);
    const isShortUnique = short.get(shortName) === 1 && !full.has(shortName);
    if (isShortUnique && !reserved.has(shortName)) names.set(toolName, shortName);
    else if (full.get(fullName) === 1) names.set(toolName, fullName);
    // No other name contains underscores.
    else names.set(toolName, toolName.replaceAll(/[^a-zA-Z0-9]/g, "_"));
  }
  return names;
}

/** Objects with such a member would be awaited, or change their prototype. */
const reserved: ReadonlySet<string> = new Set(["", "then", "constructor"]);

const withoutSuffix = (name: string) => name.replace(/_[a-z0-9]{4}$/, "");

function toCamelCase(name: string): string {
  return name
    .split(/[^a-zA-Z0-9]+/)
    .filter((word) => word !== "")
    .map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join("");
}

function countBy(names: readonly string[], toKey: (name: string) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of new Set(names)) {
    const key = toKey(name);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
