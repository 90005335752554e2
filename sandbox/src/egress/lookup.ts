import { lookup as systemLookup, Resolver } from "node:dns/promises";

/** Resolves a name to its addresses. Rejects if it has none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

const CACHE_MS = 5_000;
const MAX_CACHED = 1_000;
const TRY_MS = 3_000;
const TRIES = 2;

/**
 * Queries only DNS, with the full name: no hosts file, no search domains, and no thread that a slow server could block.
 * Caches answers for a few seconds.
 */
export function createPublicLookup(): Lookup {
  return cached(async (host) => {
    // A new resolver each time, because the machine may have moved to a network with other DNS servers.
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) =>
      answer.status === "fulfilled" ? answer.value : [],
    );
    const failed = answers.find((answer) => answer.status === "rejected");
    if (addresses.length === 0 && failed !== undefined) throw failed.reason;
    return addresses;
  });
}

/** Resolves like other programs on this machine, including the hosts file. For names that the operator configured. */
export function createSystemLookup(): Lookup {
  return cached(async (host) => {
    const answers = await systemLookup(host, { all: true });
    return answers.map(({ address }) => address);
  });
}

function cached(ask: Lookup): Lookup {
  const answers = new Map<string, { at: number; addresses: Promise<readonly string[]> }>();
  return async (host) => {
    const now = performance.now();
    const known = answers.get(host);
    if (known !== undefined && now - known.at < CACHE_MS) return known.addresses;
    answers.delete(host);
    const [oldest] = answers.keys();
    if (answers.size >= MAX_CACHED && oldest !== undefined) answers.delete(oldest);
    const addresses = ask(host);
    answers.set(host, { at: now, addresses });
    addresses.catch(() => answers.delete(host));
    return addresses;
  };
}
