import type { Session } from "../session.ts";
import { readAccounts, saveAccount } from "./accounts.ts";
import { findAddress } from "./connect.ts";
import { revokeTokens } from "./oauth.ts";

/** Revokes the tokens of an address and deletes them. They are deleted even if the service cannot be reached. */
export async function logout(session: Session): Promise<void> {
  const { env, terminal } = session;
  const { url: address } = await findAddress(session);
  const { accounts } = await readAccounts(env);
  const account = Object.hasOwn(accounts, address) ? accounts[address] : undefined;
  const isRevoked = account !== undefined && (await revokeTokens(account));
  await saveAccount(env, address, undefined);
  terminal.result({ address, wasSignedIn: account !== undefined, isRevoked }, () => [
    account === undefined ? `You were not signed in to ${address}.` : `Signed out of ${address}.`,
  ]);
  if (account !== undefined && !isRevoked) {
    terminal.note(
      "The tokens could not be revoked. Disconnect the app in the console: Connected apps.",
    );
  }
}
