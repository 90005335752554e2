import type { Session } from "../session.ts";
import { changeAccounts, findAccount } from "./accounts.ts";
import { findAddress } from "./connect.ts";
import { revokeTokens } from "./oauth.ts";

/** Revokes the tokens of an address and deletes them. They are deleted even if the service cannot be reached. */
export async function logout(session: Session): Promise<void> {
  const { env, terminal } = session;
  const { url: address } = await findAddress(session);
  const { wasSignedIn, isRevoked } = await changeAccounts(env, async (stored, save) => {
    const account = findAccount(stored, address);
    if (account === undefined && stored.damagedFile === undefined) {
      return { wasSignedIn: false, isRevoked: false };
    }
    const { [address]: _, ...accounts } = stored.accounts;
    const latest = stored.latest === address ? Object.keys(accounts).at(-1) : stored.latest;
    const hasRevoked = account !== undefined && (await revokeTokens(account));
    await save({ latest, accounts });
    return { wasSignedIn: account !== undefined, isRevoked: hasRevoked };
  });
  terminal.result({ address, wasSignedIn, isRevoked }, () => [
    wasSignedIn ? `Signed out of ${address}.` : `You were not signed in to ${address}.`,
  ]);
  if (wasSignedIn && !isRevoked) {
    terminal.note(
      "The tokens could not be revoked. Disconnect the app in the console: Connected apps.",
    );
  }
}
