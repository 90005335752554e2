import { chmod, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord, toJsonFile } from "../json.ts";
import { isMissing, writeAtomic } from "../project/write-atomic.ts";

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
export type Accounts = { latest: string | undefined; accounts: Readonly<Record<string, Account>> };

type Environment = Readonly<Record<string, string | undefined>>;

/** The file with all sign-ins, which only this user can read. */
function accountsFile(env: Environment): string {
  const config = env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
  return join(config, "toolhost", "accounts.json");
}

export async function readAccounts(env: Environment): Promise<Accounts> {
  const file = accountsFile(env);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (text === undefined) return { latest: undefined, accounts: {} };
  if (process.platform !== "win32" && ((await stat(file)).mode & 0o077) !== 0) {
    await chmod(file, 0o600);
  }
  const value: unknown = JSON.parse(text);
  const { latest, accounts } = isRecord(value) ? value : {};
  return {
    latest: typeof latest === "string" ? latest : undefined,
    accounts: isRecord(accounts) ? (accounts as Record<string, Account>) : {},
  };
}

/** Stores the sign-in at an address, or removes it. */
export async function saveAccount(
  env: Environment,
  address: string,
  account: Account | undefined,
): Promise<void> {
  const file = accountsFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const { latest, accounts } = await readAccounts(env);
  const { [address]: _, ...others } = accounts;
  const next: Accounts = {
    latest: account === undefined ? Object.keys(others).at(-1) : address,
    accounts: account === undefined ? others : { ...others, [address]: account },
  };
  await writeAtomic(
    file,
    toJsonFile({
      ...next,
      latest: account === undefined && latest !== address ? latest : next.latest,
    }),
    0o600,
  );
}

const maxLockMs = 20_000;

/** Runs something while no other process does, so that a refresh token is used once. */
export async function withAccountsLock<T>(env: Environment, run: () => Promise<T>): Promise<T> {
  const file = `${accountsFile(env)}.lock`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const startedAt = Date.now();
  for (;;) {
    try {
      await (await open(file, "wx")).close();
      break;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      // The process that held it was killed.
      if (Date.now() - startedAt > maxLockMs) await rm(file, { force: true });
      await sleep(50);
    }
  }
  try {
    return await run();
  } finally {
    await rm(file, { force: true });
  }
}
