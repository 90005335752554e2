import { join } from "node:path";
import { toolNamePattern } from "@toolhost/contract/tool-name";
import { isRecord, parseJsonObject, toJsonFile } from "../json.ts";
import { usageError } from "../terminal/cli-error.ts";
import type { Base } from "./compare.ts";
import { isFolderName } from "./folder-name.ts";
import { readRegular } from "./read-regular.ts";
import { writeAtomic } from "./write-atomic.ts";

/** Belongs in Git, unlike the state of a machine. */
const lockFile = "toolhost.lock.json";

/** A folder's tool on the server, and the version that both had in common. */
export type Link = Base & { name: string };

/** The links of a project, by folder. */
export type Lock = ReadonlyMap<string, Link>;

/** Reads the lock file. Throws if it was not written by this program: it may be in conflict, or hostile. */
export async function readLock(root: string): Promise<Lock> {
  const text = await readRegular(join(root, lockFile));
  if (text === undefined) return new Map();
  if (/^(?:<{7}|>{7}) /m.test(text)) {
    throw usageError(`${lockFile} contains conflicts of a merge. Resolve them, then retry.`);
  }
  const { lockVersion = 1, tools } = parseJsonObject(text, lockFile);
  if (lockVersion !== 1) {
    throw usageError(`${lockFile} was written by a newer version of toolhost. Update this one.`);
  }
  if (!isRecord(tools)) throw usageError(`${lockFile} has no "tools".`);
  const links = Object.entries(tools).map(
    ([folder, link]) => [folder, readLink(folder, link)] as const,
  );
  const names = links.map(([, { name }]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw usageError(`${lockFile} links two folders to ${twice}.`);
  return new Map(links);
}

function readLink(folder: string, link: unknown): Link {
  const { name, version, updatedAt, hash, serverHash } = isRecord(link) ? link : {};
  const isValid =
    isFolderName(folder) &&
    typeof name === "string" &&
    name.length <= 64 &&
    toolNamePattern.test(name) &&
    typeof version === "number" &&
    Number.isSafeInteger(version) &&
    (updatedAt === undefined || typeof updatedAt === "string") &&
    typeof hash === "string" &&
    (serverHash === undefined || typeof serverHash === "string");
  if (!isValid) throw usageError(`${lockFile}: the entry "${folder}" is not valid.`);
  return {
    name,
    version,
    ...(updatedAt === undefined ? {} : { updatedAt }),
    hash,
    ...(serverHash === undefined ? {} : { serverHash }),
  };
}

/** Writes the lock file, sorted, so that merges of branches seldom conflict. */
export async function writeLock(root: string, lock: Lock): Promise<void> {
  const tools = Object.fromEntries([...lock].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  await writeAtomic(join(root, lockFile), toJsonFile({ lockVersion: 1, tools }));
}

/** Sets or removes one link. */
export async function changeLock(root: string, folder: string, link: Link | undefined) {
  const changed = new Map(await readLock(root));
  if (link === undefined) changed.delete(folder);
  else changed.set(folder, link);
  await writeLock(root, changed);
  return changed;
}
