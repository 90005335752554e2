/** A map of the `limit` most recently used entries. */
export type LruMap<K, V> = {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
};

/** With `sizes`, it also evicts entries until the sum of their sizes fits, except the last one. */
export function createLruMap<K, V>(
  limit: number,
  sizes?: { max: number; of: (value: V) => number },
): LruMap<K, V> {
  // A Map iterates in insertion order, so the first key is the one unused for longest.
  const entries = new Map<K, V>();
  const sizeOf = (value: V | undefined) => (value === undefined ? 0 : (sizes?.of(value) ?? 0));
  let size = 0;
  const remove = (key: K) => {
    size -= sizeOf(entries.get(key));
    entries.delete(key);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) {
        entries.delete(key);
        entries.set(key, value);
      }
      return value;
    },
    set(key, value) {
      remove(key);
      entries.set(key, value);
      size += sizeOf(value);
      for (const oldest of entries.keys()) {
        const fits = entries.size <= limit && size <= (sizes?.max ?? Infinity);
        if (fits || entries.size === 1) return;
        remove(oldest);
      }
    },
  };
}
