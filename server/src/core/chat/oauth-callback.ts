import type { Caller } from "#core/kernel";
import { auditInsert, ServiceError } from "#core/kernel";
import {
  consumeAttempt,
  openCallback,
  ProviderError,
  toServiceError,
  validateCallback,
} from "#core/oauth-client";
import type { Callback } from "#core/oauth-client";
import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable, TransactionStep } from "#db";
import { newId } from "#lib/ids";
import { ChatError } from "./chat-error.ts";
import { assertMayInstall, chatCallbackUrl, platformOf } from "./install.ts";
import {
  capConnections,
  changeConnection,
  deleteConnection,
  findTeam,
  insertConnection,
} from "./connection-store.ts";
import type { ChatInstallation, ChatPlatform } from "./platform.ts";

/**
 * Redeems the code of a platform's callback and stores the team. Throws what `openCallback` throws, `chat_team_taken`,
 * and for the platform's errors `connection_failed`, `unavailable`.
 */
export async function completeInstall(
  context: ChatContext,
  platformName: string,
  callback: Callback,
): Promise<{ teamName: string }> {
  const platform = platformOf(context, platformName);
  const { attempt, caller } = await openCallback(context, "chat_attempts", callback);
  assertMayInstall(caller, platform, attempt);
  await consumeAttempt(context, "chat_attempts", attempt);
  const installation = await redeem(context, platform, callback.parameters);
  for (let tries = 0; tries < 3; tries++) {
    if (await saveTeam(context, caller, platform, installation)) {
      return { teamName: installation.teamName };
    }
  }
  throw new ServiceError(
    "unavailable",
    "The connection was modified by someone else. Start over from the workspace's settings.",
  );
}

async function redeem(
  context: ChatContext,
  platform: ChatPlatform,
  returned: URLSearchParams,
): Promise<ChatInstallation> {
  const { label } = platform;
  try {
    const provider = { name: label, issuer: null, namesIssuer: false };
    const parameters = validateCallback(provider, returned);
    const redirectUri = chatCallbackUrl(context, platform.name);
    return await platform.redeem({ parameters, redirectUri });
  } catch (error) {
    if (error instanceof ProviderError) throw toServiceError(error);
    if (!(error instanceof ChatError)) throw error;
    context.log.warn({ err: error }, "a chat platform issued no token");
    if (error.failure === "later") {
      throw new ServiceError(
        "unavailable",
        `${label} did not respond. Start over from the workspace's settings.`,
      );
    }
    throw new ServiceError(
      "connection_failed",
      `${label} refused the connection. Start over from the workspace's settings.`,
    );
  }
}

/**
 * Stores a team for the caller's workspace; false if it was changed concurrently. The token of a team that another
 * workspace has is not revoked, because the platform may have issued the same token to both.
 */
async function saveTeam(
  context: ChatContext,
  caller: Caller,
  platform: ChatPlatform,
  installation: ChatInstallation,
): Promise<boolean> {
  const { db } = context;
  const known = await findTeam(db, platform.name, installation.teamId);
  const isOwn = known?.workspace_id === caller.workspaceId;
  if (known?.state === "active" && !isOwn) {
    throw new ServiceError(
      "chat_team_taken",
      `${installation.teamName} is connected to another workspace. Disconnect it there first.`,
    );
  }
  // The row of the same workspace is updated, with its links. The row of another workspace is deleted with all of its
  // links.
  const isUpdate = known !== undefined && isOwn && known.state !== "leaving";
  const row = toRow(context, caller, platform, installation, isUpdate ? known : undefined);
  const steps: TransactionStep[] = [];
  if (isUpdate) {
    const { id: _, link_by_email: __, ...change } = row;
    steps.push(changeConnection(db, known, change));
  } else {
    steps.push(...capConnections(context, row));
    if (known !== undefined) steps.push(deleteConnection(db, known));
    steps.push(insertConnection(db, row));
  }
  const details = { platform: platform.name, team: installation.teamId };
  const event = { action: "chat.connect", target: row.id, details } as const;
  return db.transact([...steps, auditInsert(context, caller, event)]);
}

function toRow(
  { clock, envelopes }: ChatContext,
  { workspaceId, userId }: Caller,
  platform: ChatPlatform,
  { teamId, teamName, botUserId, scopes, secret }: ChatInstallation,
  known: ChatConnectionTable | undefined,
): ChatConnectionTable {
  const id = known?.id ?? newId();
  const { sealedValue, wrappedKey, keyId } = envelopes.seal(secret, id);
  const now = clock.now();
  return {
    id,
    workspace_id: workspaceId,
    platform: platform.name,
    team_id: teamId,
    team_name: teamName.slice(0, 200),
    bot_user_id: botUserId,
    scopes: scopes.join(" "),
    sealed_value: sealedValue,
    wrapped_key: wrappedKey,
    key_id: keyId,
    state: "active",
    problem: null,
    link_by_email: known?.link_by_email ?? 0,
    connected_by: userId,
    connected_at: now,
    changed_at: now,
  };
}
