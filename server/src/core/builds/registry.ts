import { createHash } from "node:crypto";
import { Agent, EnvHttpProxyAgent } from "undici";
import type { Dispatcher } from "undici";
import type { Config } from "#config";
import { createLruMap } from "#lib/lru";
import { openDownload } from "./download.ts";
import { parseIntegrity } from "./integrity.ts";
import type { Integrity } from "./integrity.ts";
import { RegistryError } from "./registry-error.ts";
import type { CacheWriter, TarballCache } from "./tarball-cache.ts";

/** Receives a download chunk by chunk. */
export type Sink = {
  write(chunk: Buffer): Promise<void>;
  /** Discards everything written so far. */
  restart(): Promise<void>;
};

type Fetching = {
  signal: AbortSignal;
  /** Called with the size of each downloaded chunk; throws above the download limit. */
  charge: (bytes: number) => void;
};

/** The configured npm registry. Its responses are untrusted and are not parsed in this process. */
export type Registry = {
  /** Writes the metadata of a package and returns its content encoding. Throws `RegistryError`. */
  packument(name: string, sink: Sink, fetching: Fetching): Promise<"gzip" | "identity">;
  /** Writes an archive and verifies its digest before it resolves. Throws `RegistryError`. */
  tarball(wanted: Tarball, sink: Sink, fetching: Fetching): Promise<void>;
  close(): Promise<void>;
};

type Tarball = { name: string; url: string; integrity: string };

type Packument = { at: number; encoding: "gzip" | "identity"; chunks: readonly Buffer[] };

const maxPackumentBytes = 24 * 1024 * 1024;
const packumentTtlMs = 60_000;
const cachedPackuments = 50;
/** Larger metadata is not cached. */
const maxCachedPackumentBytes = 512 * 1024;
const npmjs = "registry.npmjs.org";

type Access = {
  dispatcher: Dispatcher;
  registryOf: (name: string) => URL;
  headersFor: (url: URL) => Record<string, string>;
};

export function createRegistry(npm: Config["npm"], cache: TarballCache): Registry {
  const access = createAccess(npm);
  const packuments = createLruMap<string, Packument>(cachedPackuments);
  return {
    packument: async (name, sink, fetching) => {
      const known = packuments.get(name);
      if (known !== undefined && performance.now() - known.at < packumentTtlMs) {
        for (const chunk of known.chunks) await sink.write(chunk);
        return known.encoding;
      }
      const packument = await receivePackument(access, name, sink, fetching);
      if (packument.isSmall) packuments.set(name, packument);
      return packument.encoding;
    },
    tarball: async (wanted, sink, fetching) => {
      const integrity = parseIntegrity(wanted.integrity);
      if (integrity === undefined) {
        const message = `The registry returned no digest for the package "${wanted.name}".`;
        throw new RegistryError("refused", message);
      }
      if (await sendCached(cache, integrity, sink)) return;
      const { dispatcher, registryOf, headersFor } = access;
      const url = tarballUrl(registryOf(wanted.name), wanted);
      const what = `the package "${wanted.name}"`;
      const headers = headersFor(url);
      const { body } = await openDownload({ dispatcher, url, headers, what, ...fetching });
      await receive({ name: wanted.name, body, integrity, cache }, sink);
    },
    close: () => access.dispatcher.destroy(),
  };
}

function createAccess(npm: Config["npm"]): Access {
  return {
    dispatcher: createDispatcher(npm),
    registryOf: (name) => new URL(npm.scopes.get(name.split("/")[0] ?? "") ?? npm.registry),
    headersFor: (url) => {
      const address = url.href.slice(url.protocol.length);
      const known = Object.entries(npm.authorizations);
      const fitting = known.filter(([prefix]) => address.startsWith(prefix));
      const [longest] = fitting.toSorted(([a], [b]) => b.length - a.length);
      return { "user-agent": "toolhost", ...(longest && { authorization: longest[1] }) };
    },
  };
}

async function receivePackument(
  { dispatcher, registryOf, headersFor }: Access,
  name: string,
  sink: Sink,
  { signal, charge }: Fetching,
): Promise<Packument & { isSmall: boolean }> {
  const url = new URL(name.replace("/", "%2f"), registryOf(name));
  let bytes = 0;
  const { headers, body } = await openDownload({
    dispatcher,
    url,
    headers: {
      ...headersFor(url),
      accept: "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8",
      "accept-encoding": "gzip",
    },
    what: `the metadata of the package "${name}"`,
    signal,
    charge: (count) => {
      bytes += count;
      if (bytes > maxPackumentBytes) throw tooLarge(name);
      charge(count);
    },
  });
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    if (bytes <= maxCachedPackumentBytes) chunks.push(chunk);
    await sink.write(chunk);
  }
  return {
    at: performance.now(),
    encoding: headers["content-encoding"] === "gzip" ? "gzip" : "identity",
    chunks,
    isSmall: bytes <= maxCachedPackumentBytes,
  };
}

function createDispatcher({
  httpProxy,
  httpsProxy,
  noProxy,
  ca,
  strictSsl,
}: Config["npm"]): Dispatcher {
  const tls = { ...(ca === undefined ? {} : { ca }), rejectUnauthorized: strictSsl };
  const options = { connect: { ...tls, timeout: 10_000 }, connections: 16, allowH2: false };
  if (httpProxy === "" && httpsProxy === "") return new Agent(options);
  return new EnvHttpProxyAgent({ ...options, httpProxy, httpsProxy, noProxy, requestTls: tls });
}

function tooLarge(name: string): RegistryError {
  return new RegistryError("refused", `The metadata of the package "${name}" is too large.`);
}

/** The URL of an archive. Mirrors may refer to the public registry, which npm replaces by the configured one. */
function tarballUrl(registry: URL, { name, url: text }: Tarball): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.host === npmjs && registry.host !== npmjs) {
    return new URL(`.${url.pathname}`, registry);
  }
  if (url?.origin === registry.origin && url.username === "" && url.password === "") return url;
  const message = `The package "${name}" is hosted outside of the configured registry.`;
  throw new RegistryError("refused", message);
}

/** Sends an archive from the cache. Returns false if it is missing or its digest does not match. */
async function sendCached(cache: TarballCache, integrity: Integrity, sink: Sink): Promise<boolean> {
  const chunks = await cache.read(integrity);
  if (chunks === undefined) return false;
  const hash = createHash(integrity.algorithm);
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      await sink.write(chunk);
    }
    if (hash.digest("hex") === integrity.hex) return true;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
  }
  await cache.remove(integrity);
  await sink.restart();
  return false;
}

type Receiving = {
  name: string;
  body: AsyncIterable<Buffer>;
  integrity: Integrity;
  cache: TarballCache;
};

async function receive({ name, body, integrity, cache }: Receiving, sink: Sink): Promise<void> {
  const hash = createHash(integrity.algorithm);
  // If the disk is full, the archive is only not cached.
  let entry: CacheWriter | undefined = await cache.write(integrity).catch(() => undefined);
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      await entry?.write(chunk).catch(async () => {
        await entry?.discard().catch(() => {});
        entry = undefined;
      });
      await sink.write(chunk);
    }
    if (hash.digest("hex") !== integrity.hex) {
      const message = `The archive of the package "${name}" does not match the digest in the registry.`;
      throw new RegistryError("refused", message);
    }
    const complete = entry;
    entry = undefined;
    await complete?.commit().catch(() => {});
  } finally {
    await entry?.discard().catch(() => {});
  }
}
