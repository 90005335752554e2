import { statSync } from "node:fs";
import type { Stats } from "node:fs";
import process from "node:process";
import { ConfigError } from "./config-error.ts";

/**
 * Throws `ConfigError` if another user of this machine owns a file or folder with data or settings of the service, or can
 * write to it: they could replace the settings, the database and the programs' files. A missing one is fine. Root can change
 * everything anyway. A group may write if this user is in it, as in volumes of Kubernetes.
 */
export function checkAccess(kind: "data folder" | "settings file", path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  if (found === undefined || uid === undefined) return;
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
  if (writers === undefined) return;
  throw new ConfigError(
    `${writers} can write to the ${kind} ${path}. Check that nobody changed it, and run chmod go-w ${path}.`,
  );
}

const groupWrites = 0o020;
const othersWrite = 0o002;

function describeWriters({ mode, gid }: Stats): string | undefined {
  if ((mode & othersWrite) !== 0) return "All users of this machine";
  const isMember = process.getegid?.() === gid || process.getgroups?.().includes(gid) === true;
  return (mode & groupWrites) === 0 || isMember ? undefined : `The group with the ID ${gid}`;
}
