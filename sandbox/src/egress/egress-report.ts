/** A run's requests to one host. Bytes count bodies as transferred, before decompression. */
export type HostUsage = {
  host: string;
  /** Requests that were allowed. */
  requests: number;
  bytesSent: number;
  bytesReceived: number;
  /** Requests that were denied. */
  refused: number;
  /** Why the last one was denied. */
  reason?: string;
};

const MAX_HOSTS = 100;
const OTHERS = "(other hosts)";

/** A run's usage by host. After 99 hosts, all others share one entry. */
export class EgressReport {
  readonly #hosts = new Map<string, HostUsage>();

  of(host: string): HostUsage {
    const isFull = !this.#hosts.has(host) && this.#hosts.size >= MAX_HOSTS - 1;
    const name = isFull ? OTHERS : host;
    let usage = this.#hosts.get(name);
    if (usage === undefined) {
      usage = { host: name, requests: 0, bytesSent: 0, bytesReceived: 0, refused: 0 };
      this.#hosts.set(name, usage);
    }
    return usage;
  }

  all(): HostUsage[] {
    return Array.from(this.#hosts.values(), (usage) => ({ ...usage }));
  }
}
