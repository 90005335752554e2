/**
 * Who in this process waits to be told of something, by an address that names it. Other nodes tell by a signal
 * that may be lost, so whoever must not miss anything also looks now and then.
 */
export type Relay = {
  /** Waits at an address; the function that comes back ends it. */
  listen(address: string, onNudge: () => void): () => void;
  /** Tells the one who waits there. False when nobody does, or several, of whom nobody knows which is meant. */
  nudge(address: string): boolean;
};

export function createRelay(): Relay {
  const listeners = new Map<string, Set<() => void>>();
  return {
    listen(address, onNudge) {
      const own = listeners.get(address) ?? new Set();
      listeners.set(address, own.add(onNudge));
      return () => {
        own.delete(onNudge);
        if (own.size === 0 && listeners.get(address) === own) listeners.delete(address);
      };
    },
    nudge(address) {
      const [only, ...others] = listeners.get(address) ?? [];
      if (only === undefined || others.length > 0) return false;
      only();
      return true;
    },
  };
}
