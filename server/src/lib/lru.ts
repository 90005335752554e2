/** A map that keeps the `limit` entries used last. */
export type LruMap<K, V> = {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
};

export function createLruMap<K, V>(limit: number): LruMap<K, V> {
  // A Map iterates in insertion order, so the first key is the one unused for longest.
  const entries = new Map<K, V>();
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
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > limit) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
    },
  };
}
