import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

/** A member of an archive: a file with its content, or a link, device or folder by its type. */
export type ArchiveEntry = {
  path: string;
  content?: string | Buffer;
  type?: string;
  link?: string;
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type Version = { manifest?: object; archive?: Buffer; dist?: object };

/** A package registry for tests, which can also send invalid responses. */
export type FakeRegistry = {
  url: string;
  /** The received requests, with their credentials. */
  requests: { path: string; authorization: string | undefined }[];
  /** Adds a package with an archive of the given files by path. */
  add(name: string, files: Record<string, string>, manifest?: object): void;
  /** Adds versions unchanged. */
  addVersions(name: string, versions: Record<string, Version>, tags?: Record<string, string>): void;
  /** Sets the response of a path. */
  on(path: string, answer: Answer): void;
  close(): Promise<void>;
};

/** Starts a registry on a free port of this machine. */
export async function startFakeRegistry(): Promise<FakeRegistry> {
  const answers = new Map<string, Answer>();
  const requests: FakeRegistry["requests"] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    requests.push({ path, authorization: request.headers.authorization });
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end("{}");
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("It does not listen");
  const url = `http://127.0.0.1:${address.port}`;
  const addVersions: FakeRegistry["addVersions"] = (name, versions, tags) => {
    const described = Object.entries(versions).map(([version, { manifest, archive, dist }]) => {
      const bytes = archive ?? packArchive([manifestEntry({ name, version, ...manifest })]);
      const path = `/${name}/-/${version}.tgz`;
      answers.set(path, (_, response) => response.end(bytes));
      const own = { tarball: `${url}${path}`, integrity: integrityOf(bytes) };
      return [version, { name, version, ...manifest, dist: { ...own, ...dist } }] as const;
    });
    const latest = Object.keys(versions).at(-1);
    const packument = {
      name,
      "dist-tags": { latest, ...tags },
      versions: Object.fromEntries(described),
    };
    answers.set(`/${name}`, (_, response) => response.end(JSON.stringify(packument)));
  };
  return {
    url,
    requests,
    addVersions,
    add: (name, files, manifest = {}) => {
      const entries = Object.entries(files).map(([path, content]) => ({ path, content }));
      const own = manifestEntry({ name, version: "1.0.0", ...manifest });
      addVersions(name, { "1.0.0": { manifest, archive: packArchive([own, ...entries]) } });
    },
    on: (path, answer) => void answers.set(path, answer),
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** A `package.json` for an archive. */
export function manifestEntry(manifest: object): ArchiveEntry {
  return { path: "package.json", content: JSON.stringify(manifest) };
}

export function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

/** A packed archive. Paths are below `package/` unless they start with a slash or dots. */
export function packArchive(entries: readonly ArchiveEntry[]): Buffer {
  return gzipSync(tarOf(entries));
}

export function tarOf(entries: readonly ArchiveEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(1_024)]);
}

function blocksOf({ path, content = "", type = "0", link = "" }: ArchiveEntry): Buffer[] {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(/^(?:\/|\.)/.test(path) ? path : `package/${path}`, 0, 100);
  header.write("0000644\0", 100);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write(`        ${type}`, 148);
  header.write(link, 157, 100);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, bytes, Buffer.alloc(-bytes.length & 511)];
}
