import type { CredentialOwner } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, ServiceError } from "#core/kernel";
import type { VaultContext } from "../context.ts";
import { planApproval } from "#core/catalog";
import type { ConnectionAttemptTable, CredentialTable, TransactionStep } from "#db";
import { sha256 } from "#lib/hash";
import { approvedBy } from "./begin-attempt.ts";
import type { ApprovedVersion } from "./begin-attempt.ts";
import { secretsOf, settingsOf } from "./connection.ts";
import type { ConnectionSettings, Tokens } from "./connection.ts";
import { findAttempt, findConnection, takeAttempt, updateConnection } from "./connection-store.ts";
import { callbackUrl, codeVerifierOf } from "./go-to-provider.ts";
import { keepTokens } from "./keep-tokens.ts";
import { ProviderError } from "./provider-error.ts";
import { redeemCode } from "./provider.ts";
import { toRefusal } from "./refusals.ts";
import { revokeBeside } from "./revoke.ts";
import { identifyVisitor } from "./visitor.ts";
import type { Visit } from "./visitor.ts";

type Return = Visit & {
  /** What the provider sent the browser back with. */
  parameters: URLSearchParams;
  /** The cookie that was set when the browser left. */
  browserSecret: string | undefined;
};

/**
 * Ends the way to a provider: checks that it is the browser and the person who began, redeems the code and
 * keeps the tokens, together with the approval that the attempt was started for. Throws `not_found` for a state that is unknown, used or too
 * old, `forbidden`, `unauthenticated`, and for what the provider says `connection_failed`, `unavailable`.
 */
export async function comeBack(context: VaultContext, back: Return): Promise<Connected> {
  const state = back.parameters.get("state") ?? "";
  const attempt = await findAttempt(context.db, "state_hash", sha256(state));
  if (attempt === undefined) throw unknown();
  const { browserSecret } = back;
  if (browserSecret === undefined || sha256(browserSecret) !== attempt.browser_hash) {
    throw new ServiceError("forbidden", "This was begun in another browser. Go on there.");
  }
  const { credential_id: id, workspace_id } = attempt;
  const row = await findConnection(context.db, { id, workspace_id });
  if (row === undefined) throw unknown();
  const caller = await identifyVisitor(context, back, row);
  if (caller.userId !== attempt.user_id) {
    throw new ServiceError("forbidden", "This was begun by somebody else. Sign in as that person.");
  }
  await useUp(context, attempt);
  const { parameters } = back;
  const codeVerifier = codeVerifierOf(browserSecret);
  const redirectUri = callbackUrl(context);
  const settings = settingsOf(row);
  // Tokens of before may be another account's, so nothing of them is used on.
  const secrets = { clientSecret: secretsOf(context, row).clientSecret };
  const party = { workspaceId: workspace_id, settings, secrets };
  try {
    const asked = { parameters, state, codeVerifier, redirectUri };
    const tokens = await redeemCode(context, party, asked);
    const approve = approvedBy(attempt);
    const isApproved = await keep(context, caller, row, { settings, secrets, tokens, approve });
    const approval = approve === undefined ? undefined : { ...approve, isApproved };
    return { name: row.name, owner: ownerOf(row), workspaceId: workspace_id, approval };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await record(context, caller, row, error);
    throw toRefusal(error);
  }
}

/** A connection that was made, and what became of the approval that it was made for. */
type Connected = {
  name: string;
  owner: CredentialOwner;
  workspaceId: string;
  approval: (ApprovedVersion & { isApproved: boolean }) | undefined;
};

function ownerOf(row: CredentialTable): CredentialOwner {
  return row.owner_user_id === "" ? "workspace" : "user";
}

/** A state works once, whatever comes of it. */
async function useUp(context: VaultContext, attempt: ConnectionAttemptTable): Promise<void> {
  const query = takeAttempt(context.db, attempt);
  const isMine = await context.db.transact([{ query, mustChange: true }]);
  if (!isMine || attempt.expires_at <= context.clock.now()) throw unknown();
}

type Found = {
  settings: ConnectionSettings;
  secrets: { clientSecret: string | undefined };
  tokens: Tokens;
  approve: ApprovedVersion | undefined;
};

/** Writes the tokens; answers whether the version was approved with them. */
async function keep(
  context: VaultContext,
  caller: Caller,
  row: CredentialTable,
  { settings, secrets, tokens, approve }: Found,
): Promise<boolean> {
  // Between the reading and now a renewal of the old tokens may have ended, so a second look may be needed.
  for (let current: CredentialTable | undefined = row; current !== undefined;) {
    const columns = keepTokens(context, current, { settings, secrets }, tokens);
    const scopes = (tokens.scopes ?? settings.scopes).join(" ").slice(0, 1_000);
    const details = { name: row.name, scopes };
    const steps: readonly TransactionStep[] = [
      { query: updateConnection(context.db, current, columns), mustChange: true },
      auditInsert(context, caller, { action: "credential.connect", target: row.id, details }),
    ];
    const approval =
      approve && (await planApproval(context, caller, { ...approve, owner: ownerOf(row) }));
    if (approval !== undefined && (await context.db.transact([...steps, ...approval]))) return true;
    // Another version is live by now, and was not on the page: the connection is kept all the same.
    if (await context.db.transact(steps)) return false;
    current = await findConnection(context.db, row);
  }
  const { accessToken, refreshToken } = tokens;
  const party = { workspaceId: row.workspace_id, settings };
  revokeBeside(context, { ...party, secrets: { ...secrets, accessToken, refreshToken } });
  throw new ServiceError("not_found", "The credential was deleted meanwhile. Nothing was kept.");
}

async function record(
  context: VaultContext,
  caller: Caller,
  row: CredentialTable,
  { failure, code }: ProviderError,
): Promise<void> {
  const details = { name: row.name, reason: code ?? failure };
  const what = { action: "credential.connect", target: row.id, outcome: "failure" } as const;
  await context.db.transact([auditInsert(context, caller, { ...what, details })]);
}

function unknown(): ServiceError {
  return new ServiceError(
    "not_found",
    "This sign-in is not known, was used already, or took longer than ten minutes. Begin again.",
  );
}
