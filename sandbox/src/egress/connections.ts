import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import { Pool } from "undici";
import { parseDeclaredHost, undeclared, type DeclaredHost } from "./declared-hosts.ts";
import { bracketed, type Target } from "./target.ts";

/** Where connections lead, and which runs may share them. */
export type Route = {
  /**
   * Only runs with the same group share connections, because they may also share an isolate. A connection may be
   * authenticated, or carry leftover responses.
   */
  connectionGroup: string;
  target: Target;
  /** The checked addresses. Connections are made to these only. */
  addresses: readonly string[];
  connectMs: number;
};

/** A connection pool on loan to one request. */
export type PooledConnection = { pool: Pool; release(): void };

type PoolEntry = { pool: Pool; users: number; idleSince: number };

const MAX_HEADER_BYTES = 64 * 1024;
/** When the next of several addresses is tried. Distant hosts take longer than the usual 250 ms. */
const NEXT_ADDRESS_MS = 2_000;
const CONNECTION_IDLE_MS = 4_000;
const MAX_CONNECTION_IDLE_MS = 30_000;
const POOL_IDLE_MS = 40_000;
const SWEEP_MS = 5_000;
const MAX_IDLE_POOLS = 500;

const connectFailures = new WeakSet<Error>();

/** Whether a request failed because no connection was made for it, so that nothing of it was sent. */
export function isConnectFailure(error: unknown): boolean {
  return error instanceof Error && connectFailures.has(error);
}

/** All connections to external hosts. They stay open for a short time for further requests. */
export class Connections {
  readonly #ca: readonly string[] | undefined;
  readonly #http2: readonly DeclaredHost[];
  readonly #pools = new Map<string, PoolEntry>();
  readonly #sweep: NodeJS.Timeout;

  /** `ca` replaces the well-known certificate authorities. HTTP/2 is used only with `http2Hosts`. */
  constructor(ca?: readonly string[], http2Hosts: readonly string[] = []) {
    this.#ca = ca;
    this.#http2 = http2Hosts.map(parseDeclaredHost).filter((host) => host !== undefined);
    this.#sweep = setInterval(() => this.#closeIdle(), SWEEP_MS);
    this.#sweep.unref();
  }

  acquire(route: Route): PooledConnection {
    const { connectionGroup, target, addresses, connectMs } = route;
    const { scheme, host, port } = target;
    const parts = [connectionGroup, scheme, host, port, connectMs, ...addresses.toSorted()];
    const key = JSON.stringify(parts);
    const entry = this.#pools.get(key) ?? { pool: this.#open(route), users: 0, idleSince: 0 };
    this.#pools.set(key, entry);
    entry.users += 1;
    const release = () => {
      entry.users -= 1;
      entry.idleSince = performance.now();
    };
    return { pool: entry.pool, release };
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const pools = Array.from(this.#pools.values(), ({ pool }) => pool.destroy());
    this.#pools.clear();
    await Promise.all(pools);
  }

  #open({ target, addresses, connectMs }: Route): Pool {
    const { scheme, host, port } = target;
    // A hostile server can hang this process through the HTTP/2 client: docs/architecture/decisions/0005.
    const allowH2 = undeclared(this.#http2, target) === undefined;
    const pool = new Pool(`${scheme}//${bracketed(host)}:${port}`, {
      connectTimeout: connectMs,
      connect: { lookup: pinned(addresses), ...(this.#ca && { ca: [...this.#ca] }) },
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      allowH2,
      keepAliveTimeout: CONNECTION_IDLE_MS,
      keepAliveMaxTimeout: MAX_CONNECTION_IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The run's own time limit applies.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return pool.on("connectionError", (_origin, _targets, error) => connectFailures.add(error));
  }

  #closeIdle(): void {
    const now = performance.now();
    const idle = [...this.#pools].filter(([, { users }]) => users === 0);
    idle.sort(([, a], [, b]) => a.idleSince - b.idleSince);
    for (const [index, [key, { pool, idleSince }]] of idle.entries()) {
      const isOver = idle.length - index > MAX_IDLE_POOLS;
      if (!isOver && now - idleSince < POOL_IDLE_MS) break;
      this.#pools.delete(key);
      pool.close().catch(() => {});
    }
  }
}

/** Returns the checked addresses, even if the name resolves to others since (DNS rebinding). */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) => {
    const [first] = all;
    if (first === undefined) done(new Error("no address"), "", 0);
    else if (options.all === true) done(null, all);
    else done(null, first.address, first.family);
  };
}
