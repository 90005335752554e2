import { useState } from "react";

function read(key: string): ReadonlySet<string> | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return Array.isArray(stored) ? new Set(stored.map(String)) : undefined;
  } catch {
    return undefined;
  }
}

/** A set of names that this browser remembers. */
export function useStoredSet(
  key: string,
  initial: readonly string[],
): [ReadonlySet<string>, (name: string) => void] {
  const [names, setNames] = useState(() => read(key) ?? new Set(initial));
  const toggle = (name: string) => {
    const next = new Set(names);
    if (!next.delete(name)) next.add(name);
    localStorage.setItem(key, JSON.stringify([...next]));
    setNames(next);
  };
  return [names, toggle];
}
