import { execFileSync, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A disk in memory, which a test can fill. Only processes started by `launcher` see it. */
export type SmallDisk = {
  /** Its path for processes that see it. */
  readonly folder: string;
  /** Its path for this process. */
  readonly seenAt: string;
  /** A command prefix that makes the disk visible. */
  readonly launcher: readonly string[];
  /** Fills it to the last byte. */
  fill(): Promise<void>;
  /** Deletes the data that `fill` wrote. */
  free(): Promise<void>;
  remove(): Promise<void>;
};

const isRoot = process.getuid?.() === 0;
const namespaces = isRoot ? "-m" : "-rm";

/** Whether this machine allows a mount namespace, as root or with unprivileged user namespaces. */
export const canMakeDisk = tryMount();

/** Creates a disk of this many mebibytes. It disappears when this process exits. */
export async function makeSmallDisk(mebibytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-disk-"));
  const script = `mount -t tmpfs -o size=${mebibytes}m,mode=700 none "$0" && echo mounted && exec sleep infinity`;
  // The disk exists in the namespace of a process that does nothing else.
  const holder = spawn("unshare", [namespaces, "sh", "-c", script, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = () => void holder.kill("SIGKILL");
  process.once("exit", end);
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once("data", () => resolve());
    holder.once("error", reject);
    holder.once("exit", (code) => reject(new Error(`No disk could be mounted: ${code}`)));
  });
  const seenAt = `/proc/${holder.pid}/root${folder}`;
  const ballast = join(seenAt, "ballast");
  return {
    folder,
    seenAt,
    launcher: [
      "nsenter",
      `--target=${holder.pid}`,
      "--mount",
      ...(isRoot ? [] : ["--user", "--preserve-credentials"]),
    ],
    fill: () => writeUntilFull(ballast),
    free: () => rm(ballast, { force: true }),
    remove: async () => {
      process.off("exit", end);
      end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(file: string): Promise<void> {
  const stream = createWriteStream(file, { flags: "a" });
  return new Promise((resolve, reject) => {
    const page = Buffer.alloc(4_096, 1);
    const more = () => {
      while (stream.write(page));
      stream.once("drain", more);
    };
    stream.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ENOSPC" ? resolve() : reject(error),
    );
    more();
  });
}

function tryMount(): boolean {
  try {
    const command = [namespaces, "mount", "-t", "tmpfs", "none", tmpdir()];
    execFileSync("unshare", command, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
