import { execFile, execFileSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

/** A disk of its own in memory, which a test may fill. */
export type SmallDisk = {
  readonly folder: string;
  /** Fills it to the last byte. */
  fill(): Promise<void>;
  /** Takes back what `fill` wrote. */
  free(): Promise<void>;
  unmount(): Promise<void>;
};

const run = promisify(execFile);
const prefix = findPrefix();

/** Whether this process may mount a disk, as root or by sudo without a password. */
export const canMountDisk = prefix !== undefined;

/** Mounts a disk of so many mebibytes that this user can write to. */
export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk> {
  if (prefix === undefined) throw new Error("Only root can mount a disk");
  const folder = await mkdtemp(join(tmpdir(), "toolhost-disk-"));
  const owner = `uid=${process.getuid?.()},gid=${process.getgid?.()},mode=755`;
  await runAsRoot("mount", "-t", "tmpfs", "-o", `size=${mebibytes}m,${owner}`, "none", folder);
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill: () => writeUntilFull(ballast),
    free: () => rm(ballast, { force: true }),
    unmount: async () => {
      await runAsRoot("umount", "-l", folder);
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

async function runAsRoot(...command: string[]): Promise<void> {
  const [program = "", ...args] = [...(prefix ?? []), ...command];
  await run(program, args);
}

function findPrefix(): string[] | undefined {
  const candidates = process.getuid?.() === 0 ? [[]] : [["sudo", "-n"]];
  return candidates.find((words) => {
    const folder = tmpdir();
    try {
      // In a namespace of its own, so that the try leaves nothing behind.
      const [program, ...args] = [
        ...words,
        "unshare",
        "-m",
        "mount",
        "-t",
        "tmpfs",
        "none",
        folder,
      ];
      execFileSync(program, args, { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}
