import { mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { stateFolder } from "./project.ts";

/** Runs something while no other process of this machine pushes or pulls the project. */
export async function withProjectLock<T>(root: string, run: () => Promise<T>): Promise<T> {
  const file = join(root, stateFolder, "busy");
  await mkdir(join(root, stateFolder), { recursive: true });
  await acquire(file);
  try {
    return await run();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(file: string, isRetry = false): Promise<void> {
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(String(process.pid));
    await handle.close();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const pid = Number(await readFile(file, "utf8").catch(() => ""));
    if (isRetry || isRunning(pid)) {
      throw new CliError(`Another toolhost command (process ${pid}) is changing this project.`, {
        code: "busy",
        exitCode: exitCodes.conflict,
        next: ["retry when it has ended"],
      });
    }
    // The process that held it was killed.
    await rm(file, { force: true });
    await acquire(file, true);
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
