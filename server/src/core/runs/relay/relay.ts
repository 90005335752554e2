/**
 * Listeners in this process, each at an address that names it. Notifications of other nodes may be lost, so a listener that must
 * not miss one also polls.
 */
export type Relay = {
  /** Listens at an address; the returned function stops listening. */
  listen(address: string, onNotify: () => void): () => void;
  /** Notifies the listener at an address. False when there is none, or several, of which only one can be meant. */
  notify(address: string): boolean;
};

export function createRelay(): Relay {
  const listeners = new Map<string, Set<() => void>>();
  return {
    listen(address, onNotify) {
      const own = listeners.get(address) ?? new Set();
      listeners.set(address, own.add(onNotify));
      return () => {
        own.delete(onNotify);
        if (own.size === 0 && listeners.get(address) === own) listeners.delete(address);
      };
    },
    notify(address) {
      const [only, ...others] = listeners.get(address) ?? [];
      if (only === undefined || others.length > 0) return false;
      only();
      return true;
    },
  };
}
