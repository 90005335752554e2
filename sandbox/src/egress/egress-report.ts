/** What a run asked of one host. Bytes are those of bodies as they crossed the wire. */
export type HostUsage = {
  host: string;
  /** Requests that were let out. */
  requests: number;
  bytesSent: number;
  bytesReceived: number;
  refused: number;
  /** Why the last refused one was. */
  reason?: string;
};

const MAX_HOSTS = 100;
const OTHERS = "(other hosts)";

/** Keeps the usage of a run: at most 100 hosts, the last of which stands for all further ones. */
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
