import { hash, randomBytes } from "node:crypto";
import { link, lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { isRecord } from "../json.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { describeProcess, isRunning } from "./process-identity.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { stateFolder } from "./project.ts";
import { isMissing } from "./write-atomic.ts";

/** What a file of the lock says about the process that wrote it. */
type Owner = {
  /** Names the file of the process that takes over from this one. */
  nonce: string;
  /** Undefined if the file has another form. */
  identity: ProcessIdentity | undefined;
};

/** The last process that took over, and the file of the next one. */
type Chain = { file: string; last: (Owner & { file: string }) | undefined };

const maxOwners = 1_000;
const maxAttempts = 20;
const maxBytes = 4_096;

/**
 * Runs something while no other process pushes or pulls the project.
 *
 * The first process creates the file `busy`. If it is killed, the next one creates `busy-` with the nonce of the first, and so on:
 * each process has one successor, because a file can be created once. Files of killed processes stay.
 */
export async function withProjectLock<T>(root: string, run: () => Promise<T>): Promise<T> {
  const folder = join(root, stateFolder);
  await mkdir(folder, { recursive: true });
  const file = await acquire(root, folder);
  try {
    return await run();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(root: string, folder: string): Promise<string> {
  const nonce = randomBytes(16).toString("hex");
  const draft = join(folder, `.${nonce}.tmp`);
  await writeFile(draft, JSON.stringify({ ...(await describeProcess()), nonce }), { flag: "wx" });
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { file, last } = await walk(folder);
      if (last !== undefined) await checkEnded(root, last);
      // A link appears with its content, so no process reads an empty file.
      const isCreated = await link(draft, file).then(() => true, isNotCreated);
      if (!isCreated) continue;
      // The process before may have released the lock, so that another one is no longer after it.
      if ((await walk(folder)).last?.nonce === nonce) return file;
      await rm(file, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
  throw busyError("Other toolhost commands are changing this project.");
}

function isNotCreated(error: unknown): false {
  if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
  throw error;
}

async function walk(folder: string): Promise<Chain> {
  let file = join(folder, "busy");
  let last: Chain["last"];
  for (let count = 0; count < maxOwners; count++) {
    const owner = await readOwner(file);
    if (owner === undefined) return { file, last };
    last = { ...owner, file };
    file = join(folder, `busy-${owner.nonce}`);
  }
  throw busyError(`Delete the files that start with "busy" in ${stateFolder}.`);
}

/** Reads a file of the lock; undefined if it does not exist. Files of another form count as those of a process that has ended. */
async function readOwner(file: string): Promise<Owner | undefined> {
  const stats = await lstat(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  const isReadable = stats.isFile() && stats.size <= maxBytes;
  const text = isReadable ? await readFile(file, "utf8").catch(() => "") : "";
  return (
    parseOwner(text) ?? { nonce: hash("sha256", text, "hex").slice(0, 32), identity: undefined }
  );
}

function parseOwner(text: string): Owner | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { pid, startedAt, machine, nonce } = isRecord(value) ? value : {};
  const isValid =
    typeof pid === "number" &&
    Number.isSafeInteger(pid) &&
    pid > 0 &&
    typeof machine === "string" &&
    (startedAt === undefined || typeof startedAt === "string") &&
    typeof nonce === "string" &&
    /^[0-9a-f]{32}$/.test(nonce);
  return isValid ? { nonce, identity: { pid, startedAt, machine } } : undefined;
}

async function checkEnded(
  root: string,
  { identity, file }: NonNullable<Chain["last"]>,
): Promise<void> {
  if (identity === undefined) return;
  const isAlive = await isRunning(identity);
  if (isAlive === false) return;
  const { pid, machine } = identity;
  if (isAlive === true) {
    throw busyError(`Another toolhost command (process ${pid}) is changing this project.`);
  }
  throw busyError(
    `Another toolhost command (process ${pid} on ${machine}) is changing this project. If it has ended, delete ${relative(root, file)}.`,
  );
}

const busyError = (message: string) =>
  new CliError(message, {
    code: "busy",
    exitCode: exitCodes.conflict,
    next: ["retry when it has ended"],
  });
