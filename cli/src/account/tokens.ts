import type { ApiKeySource } from "@toolhost/client";
import { changeAccounts, findAccount, readAccounts } from "./accounts.ts";
import type { Account, Accounts, Environment } from "./accounts.ts";
import { notSignedIn } from "./connect.ts";
import { refreshTokens } from "./oauth.ts";

const earlyMs = 30_000;

/**
 * Returns the access token for each request to an address, and refreshes it when it expires or was rejected. Another process may
 * have refreshed it, so the file is read again first: a refresh token that is used twice would end the sign-in.
 */
export function createTokenSource(env: Environment, address: string): ApiKeySource {
  let current: Account | undefined;
  return async (rejected) => {
    current ??= requireAccount(await readAccounts(env), address);
    if (isUsable(current, rejected)) return current.accessToken;
    current = await changeAccounts(env, async (stored, save) => {
      const account = requireAccount(stored, address);
      if (isUsable(account, rejected)) return account;
      const renewed = { ...account, ...(await refreshTokens(account)) };
      await save({ ...stored, accounts: { ...stored.accounts, [address]: renewed } });
      return renewed;
    });
    return current.accessToken;
  };
}

const isUsable = ({ accessToken, expiresAt }: Account, rejected: string | undefined) =>
  accessToken !== rejected && expiresAt > Date.now() + earlyMs;

function requireAccount(stored: Accounts, address: string): Account {
  const account = findAccount(stored, address);
  if (account === undefined) throw notSignedIn(stored, address);
  return account;
}
