import { mkdirSync, statSync } from "node:fs";
import type { Stats } from "node:fs";
import process from "node:process";
import { messageOf } from "#lib/message-of";
import { ConfigError } from "./config-error.ts";

/** Creates the data folder if it is missing, and checks who can change it. Throws `ConfigError`. */
export function openDataFolder(path: string, mode = 0o711): void {
  explaining(`The data folder ${path} cannot be created`, () =>
    mkdirSync(path, { recursive: true, mode }),
  );
  checkAccess("data folder", path);
}

/** Throws a system error as a `ConfigError` that says what failed. */
export function explaining<T>(problem: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new ConfigError(`${problem}: ${messageOf(cause)}.`, { cause });
  }
}

/**
 * Throws `ConfigError` if another user of this machine owns a file or folder with data or settings of the service, or can
 * write to it: they could replace the settings, the database and the programs' files. Returns whether it exists. Root can change
 * everything anyway. A group may write if this user is in it, as in volumes of Kubernetes.
 */
export function checkAccess(kind: "data folder" | "settings file", path: string): boolean {
  const found = explaining(`The ${kind} ${path} cannot be read`, () =>
    statSync(path, { throwIfNoEntry: false }),
  );
  if (found === undefined) return false;
  if (found.isDirectory() !== (kind === "data folder")) {
    throw new ConfigError(
      `The ${kind} ${path} is ${found.isDirectory() ? "a folder" : "not a folder"}.`,
    );
  }
  const uid = process.getuid?.() ?? found.uid;
  if (found.uid !== uid && found.uid !== 0) {
    const fix =
      uid === 0
        ? `: sudo -u '#${found.uid}' env DATA_DIR=FOLDER COMMAND.`
        : `, or run chown -R ${uid} ${path}.`;
    throw new ConfigError(
      `The ${kind} ${path} belongs to the user with the ID ${found.uid}, and this is ${uid}. Run the command as that user${fix}`,
    );
  }
  const writers = describeWriters(found);
  if (writers === undefined) return true;
  throw new ConfigError(
    `${writers} can write to the ${kind} ${path}. Check that it was not changed, and run chmod go-w ${path}.`,
  );
}

const groupWrites = 0o020;
const othersWrite = 0o002;

function describeWriters({ mode, gid }: Stats): string | undefined {
  if ((mode & othersWrite) !== 0) return "All users of this machine";
  const isMember = process.getegid?.() === gid || process.getgroups?.().includes(gid) === true;
  return (mode & groupWrites) === 0 || isMember ? undefined : `The group with the ID ${gid}`;
}
