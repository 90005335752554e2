import { Buffer } from "node:buffer";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { createGunzip } from "node:zlib";
import { Parser } from "tar";
import type { ReadEntry } from "tar";
import { emptySourceMap } from "./empty-source-map.ts";
import { refusePackages } from "./messages.ts";

/** The remaining room for unpacked files. */
export type Room = { files: number; bytes: number; max: { files: number; bytes: number } };

/** The files of a package that each kind of build reads. */
const kinds = {
  bundle: /(?:^|\/)package\.json$|\.[cm]?js$|\.json$|(?<!\.d)\.[cm]?ts$/,
  types: /(?:^|\/)package\.json$|\.d\.[cm]?ts$/,
} as const;

/**
 * Unpacks the files of an archive that this kind of build reads. All entries count toward the limits. Throws
 * `RefusedError` above the limits, for an invalid archive, and for anything but plain files and folders.
 */
export async function unpack(
  name: string,
  archive: Buffer,
  { folder, kind, room }: { folder: string; kind: keyof typeof kinds; room: Room },
): Promise<void> {
  const wanted = kinds[kind];
  mkdirSync(folder, { recursive: true });
  await eachFile(name, archive, room, (path, content) => {
    if (!wanted.test(path)) return;
    if (path === "package.json") checkManifest(name, content);
    const file = join(folder, path);
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, withoutSourceMap(path, content));
    } catch (error) {
      throw writeError(name, path, error, room);
    }
  });
}

function withoutSourceMap(path: string, content: Buffer): Buffer {
  if (!/\.[cm]?[jt]s$/.test(path) || !content.includes("sourceMappingURL=")) return content;
  return Buffer.concat([content, Buffer.from(emptySourceMap)]);
}

/** A package whose entry point is outside of it is broken or malicious. */
function checkManifest(name: string, content: Buffer): void {
  const manifest = parse(content);
  for (const field of ["main", "module"]) {
    const path: unknown = Object(manifest)[field];
    if (typeof path !== "string" || !/^(?:\/|\.\.(?:\/|$))/.test(normalize(path))) continue;
    throw refusePackages(`The package ${name} names a file outside of it, which is not allowed.`);
  }
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** First bytes of gzip and Zstandard. */
const packedFirstBytes = new Set([0x1f, 0x28]);

type TakeFile = (path: string, content: Buffer) => void;

async function eachFile(name: string, archive: Buffer, room: Room, take: TakeFile): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const gunzip = createGunzip();
  const parser = new Parser({ maxMetaEntrySize: 64 * 1024 });
  let isFirst = true;
  const stop = (error: unknown) => {
    gunzip.destroy();
    reject(error);
  };
  gunzip.on("data", (chunk: Buffer) => {
    try {
      // The parser would unpack a nested archive without charging for it.
      if (isFirst && packedFirstBytes.has(chunk[0] ?? 0)) throw broken(name);
      isFirst = false;
      charge(room, { files: 0, bytes: chunk.length });
      parser.write(chunk);
    } catch (error) {
      stop(error);
    }
  });
  parser.on("entry", (entry: ReadEntry) => {
    try {
      readEntry(name, entry, room, take, stop);
    } catch (error) {
      stop(error);
    }
  });
  gunzip.once("end", () => parser.end());
  gunzip.once("error", () => reject(broken(name)));
  parser.once("error", () => stop(broken(name)));
  parser.once("end", resolve);
  gunzip.end(archive);
  return promise;
}

function readEntry(
  name: string,
  entry: ReadEntry,
  room: Room,
  take: TakeFile,
  stop: (error: unknown) => void,
): void {
  charge(room, { files: 1, bytes: 0 });
  if (entry.type === "Directory") {
    entry.resume();
    return;
  }
  if (!/^(?:Old|Contiguous)?File$/.test(entry.type)) {
    const path = entry.path.slice(0, 200);
    throw refusePackages(
      `The package ${name} contains a link or device, which is not allowed: ${path}`,
    );
  }
  // The name of the top-level folder is arbitrary.
  const path = entry.path.split("/").slice(1).join("/");
  if (!isPlain(path)) {
    throw refusePackages(`The package ${name} contains a path that is not allowed.`);
  }
  const chunks: Buffer[] = [];
  entry.on("data", (chunk: Buffer) => chunks.push(chunk));
  entry.once("end", () => {
    try {
      take(path, Buffer.concat(chunks));
    } catch (error) {
      stop(error);
    }
  });
}

function isPlain(path: string): boolean {
  if (path === "" || path.length > 1_000 || /[\p{Cc}\\]/u.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function charge(room: Room, { files, bytes }: { files: number; bytes: number }): void {
  room.files -= files;
  room.bytes -= bytes;
  if (room.files < 0) {
    throw refusePackages(
      `The packages have more than ${room.max.files} files. Use smaller packages.`,
    );
  }
  if (room.bytes < 0) throw tooLarge(room);
}

function tooLarge({ max }: Room) {
  const megabytes = Math.round(max.bytes / 1024 / 1024);
  return refusePackages(`The packages are larger than ${megabytes} MB. Use smaller packages.`);
}

function broken(name: string) {
  return refusePackages(`The archive of the package ${name} cannot be read.`);
}

function writeError(name: string, path: string, error: unknown, room: Room) {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EFBIG" || code === "EDQUOT") return tooLarge(room);
  const shown = path.slice(0, 200);
  return refusePackages(`The package ${name} contains a path that cannot be written: ${shown}`);
}
