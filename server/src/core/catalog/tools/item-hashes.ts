import { sha256 } from "#lib/hash";

/** The hashes of items by key, as text in which one is found without parsing the rest. Keys of documents may be long. */
export function formatItemHashes(hashes: ReadonlyMap<string, string>): string {
  return [...hashes].map(([key, hash]) => `${prefixOf(key)}${hash}`).join("") + end;
}

/** The hash of one item; empty if there is none. */
export function findItemHash(formatted: string, key: string): string {
  const prefix = prefixOf(key);
  const at = formatted.indexOf(prefix);
  if (at === -1) return "";
  const start = at + prefix.length;
  return formatted.slice(start, formatted.indexOf(end, start));
}

const end = "\n";

function prefixOf(key: string): string {
  return `${end}${sha256(key)} `;
}
