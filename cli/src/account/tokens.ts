import type { ApiKeySource } from "@toolhost/client";
import { readAccounts, saveAccount, withAccountsLock } from "./accounts.ts";
import type { Account } from "./accounts.ts";
import { oauthError, requestTokens } from "./oauth.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const earlyMs = 30_000;

/**
 * Returns the access token for each request to an address, and refreshes it when it expires or was rejected. Another process may
 * have refreshed it, so the file is read again first: a refresh token that is used twice would end the sign-in.
 */
export function createTokenSource(env: Environment, address: string): ApiKeySource {
  let current: Account | undefined;
  return async (rejected) => {
    current ??= await readAccount(env, address);
    if (isUsable(current, rejected)) return current.accessToken;
    current = await withAccountsLock(env, async () => {
      const stored = await readAccount(env, address);
      if (isUsable(stored, rejected)) return stored;
      const tokens = await requestTokens(stored.tokenEndpoint, {
        grant_type: "refresh_token",
        client_id: stored.clientId,
        refresh_token: stored.refreshToken,
        resource: stored.resource,
      });
      const renewed = { ...stored, ...tokens };
      await saveAccount(env, address, renewed);
      return renewed;
    });
    return current.accessToken;
  };
}

const isUsable = ({ accessToken, expiresAt }: Account, rejected: string | undefined) =>
  accessToken !== rejected && expiresAt > Date.now() + earlyMs;

async function readAccount(env: Environment, address: string): Promise<Account> {
  const { accounts } = await readAccounts(env);
  const account = Object.hasOwn(accounts, address) ? accounts[address] : undefined;
  if (account === undefined)
    throw oauthError(`You are not signed in to ${address}.`, `toolhost login --url ${address}`);
  return account;
}
