/** Makes names that no other has, with a number behind the separator. Counts by name, so that many equal ones take no longer. */
export function createNamer(
  separator: string,
  reserved: Iterable<string> = [],
): (wanted: string) => string {
  const taken = new Set(reserved);
  const counts = new Map<string, number>();
  return (wanted) => {
    let count = counts.get(wanted) ?? 1;
    let name = wanted;
    while (taken.has(name)) {
      count += 1;
      name = `${wanted}${separator}${count}`;
    }
    counts.set(wanted, count);
    taken.add(name);
    return name;
  };
}
