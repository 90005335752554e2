/** What a run asked of one host. Bytes are those of bodies as they crossed the wire. */
export type HostReceipt = {
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

/** Keeps the receipt of a run: at most 100 hosts, the last of which stands for all further ones. */
export class Receipts {
  readonly #hosts = new Map<string, HostReceipt>();

  of(host: string): HostReceipt {
    const isFull = !this.#hosts.has(host) && this.#hosts.size >= MAX_HOSTS - 1;
    const name = isFull ? OTHERS : host;
    let receipt = this.#hosts.get(name);
    if (receipt === undefined) {
      receipt = { host: name, requests: 0, bytesSent: 0, bytesReceived: 0, refused: 0 };
      this.#hosts.set(name, receipt);
    }
    return receipt;
  }

  all(): HostReceipt[] {
    return Array.from(this.#hosts.values(), (receipt) => ({ ...receipt }));
  }
}
