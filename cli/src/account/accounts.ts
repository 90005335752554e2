import { access, chmod, constants, mkdir, readFile, rename, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { isRecord, toJsonFile } from "../json.ts";
import { LockTimeoutError, withProcessLock } from "../process-lock.ts";
import { isMissing, writeAtomic } from "../project/write-atomic.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { command } from "../terminal/shell-command.ts";

/** The sign-in at one service. */
export type Account = {
  clientId: string;
  accessToken: string;
  refreshToken: string;
  /** Unix milliseconds. */
  expiresAt: number;
  tokenEndpoint: string;
  revocationEndpoint: string | undefined;
  /** The resource that the tokens are for. */
  resource: string;
};

/** The sign-ins of this user, by address. */
export type Accounts = {
  /** The address that the user signed in to last. */
  latest: string | undefined;
  accounts: Readonly<Record<string, Account>>;
  /** The file, if it has content that is not understood. */
  damagedFile: string | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The file with all sign-ins, which only this user can read. */
function accountsFile(env: Environment): string {
  const config = env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
  return join(config, "toolhost", "accounts.json");
}

/** Reads the sign-ins. Those that are damaged are left out. */
export async function readAccounts(env: Environment): Promise<Accounts> {
  const file = accountsFile(env);
  try {
    const text = await readFile(file, "utf8");
    if (process.platform !== "win32" && ((await stat(file)).mode & 0o077) !== 0) {
      await chmod(file, 0o600).catch(() => undefined);
    }
    return parseAccounts(text, file);
  } catch (error) {
    if (!isMissing(error)) throw storageError(`${file} cannot be read`, error);
    return { latest: undefined, accounts: {}, damagedFile: undefined };
  }
}

/** The sign-in at an address, if there is one. */
export function findAccount({ accounts }: Accounts, address: string): Account | undefined {
  return Object.hasOwn(accounts, address) ? accounts[address] : undefined;
}

/** Throws if sign-ins cannot be stored, which is better known before the user goes to a browser. */
export async function checkStorage(env: Environment): Promise<void> {
  const folder = dirname(accountsFile(env));
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw storageError(`The sign-in cannot be stored in ${folder}`, error);
  }
}

/** Stores the changed sign-ins. */
type Save = (changed: Pick<Accounts, "latest" | "accounts">) => Promise<void>;

/** Longer than a refresh takes. */
const lockWaitMs = 120_000;

/** Reads and changes the sign-ins while no other process does, so that a refresh token is used once and no sign-in is lost. */
export async function changeAccounts<T>(
  env: Environment,
  change: (stored: Accounts, save: Save) => Promise<T>,
): Promise<T> {
  await checkStorage(env);
  const file = accountsFile(env);
  const lockFile = `${file}.lock`;
  try {
    return await withProcessLock(lockFile, { waitMs: lockWaitMs }, async () => {
      const stored = await readAccounts(env);
      return change(stored, ({ latest, accounts }) => write(file, stored, { latest, accounts }));
    });
  } catch (error) {
    if (!(error instanceof LockTimeoutError)) throw error;
    const who = error.holder === undefined ? "" : ` (process ${error.holder.pid})`;
    throw new CliError(`Another toolhost command${who} is changing your sign-ins.`, {
      code: "busy",
      exitCode: exitCodes.unavailable,
      next: [command`retry when it has ended, or if it does not exist: rm ${lockFile}`],
    });
  }
}

async function write(file: string, { damagedFile }: Accounts, next: object): Promise<void> {
  try {
    if (damagedFile !== undefined) {
      const copy = `${file}.damaged-${Date.now()}`;
      await rename(file, copy);
      process.stderr.write(`Warning: ${file} was damaged. Its content is now in ${copy}.\n`);
    }
    await writeAtomic(file, toJsonFile(next), 0o600);
  } catch (error) {
    throw storageError(`${file} cannot be written`, error);
  }
}

function parseAccounts(text: string, file: string): Accounts {
  const value = parseJson(text);
  if (!isRecord(value)) return { latest: undefined, accounts: {}, damagedFile: file };
  const { latest, accounts = {} } = value;
  const entries = isRecord(accounts) ? Object.entries(accounts) : [];
  const valid = entries.filter((entry): entry is [string, Account] => isAccount(entry[1]));
  return {
    latest: typeof latest === "string" ? latest : undefined,
    accounts: Object.fromEntries(valid),
    damagedFile: isRecord(accounts) && valid.length === entries.length ? undefined : file,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const textFields = ["clientId", "accessToken", "refreshToken", "tokenEndpoint", "resource"];

function isAccount(value: unknown): value is Account {
  return (
    isRecord(value) &&
    textFields.every((field) => typeof value[field] === "string") &&
    typeof value["expiresAt"] === "number" &&
    ["string", "undefined"].includes(typeof value["revocationEndpoint"])
  );
}

function storageError(message: string, cause: unknown): CliError {
  const reason = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return new CliError(`${message}${reason}.`, {
    code: "storage_unavailable",
    exitCode: exitCodes.failed,
    next: ["set XDG_CONFIG_HOME to a folder that you can write to, or TOOLHOST_API_KEY"],
    cause,
  });
}
