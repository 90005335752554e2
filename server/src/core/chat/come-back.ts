import type { Caller } from "#core/kernel";
import { auditInsert, ServiceError } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable, TransactionStep } from "#db";
import { sha256 } from "#lib/hash";
import { newId } from "#lib/ids";
import { findAttempt, takeAttempt } from "./attempt-store.ts";
import { ChatError } from "./chat-error.ts";
import { chatCallbackUrl, checkBeginner, isGood, platformOf, unknownAttempt } from "./connect.ts";
import type { Visit } from "./connect.ts";
import {
  capConnections,
  changeConnection,
  deleteConnection,
  findTeam,
  insertConnection,
} from "./connection-store.ts";
import type { ChatInstallation, ChatPlatform } from "./platform.ts";

type Return = Visit & {
  platform: string;
  /** What the platform sent the browser back with. */
  parameters: URLSearchParams;
  /** The cookie that was set when the browser left. */
  browserSecret: string | undefined;
};

/**
 * Ends the way to a platform: checks that it is the browser and the person who began, redeems what it was sent back
 * with and keeps the team. Throws `not_found` for a state that is unknown, used or too old, `forbidden`,
 * `unauthenticated`, `chat_team_taken`, and for what the platform says `connection_failed`, `unavailable`.
 */
export async function connectTeam(
  context: ChatContext,
  back: Return,
): Promise<{ teamName: string }> {
  const platform = platformOf(context, back.platform);
  const state = back.parameters.get("state") ?? "";
  const attempt = await findAttempt(context.db, "state_hash", sha256(state));
  if (!isGood(context, attempt, platform)) throw unknownAttempt();
  const { browserSecret } = back;
  if (browserSecret === undefined || sha256(browserSecret) !== attempt.browser_hash) {
    throw new ServiceError("forbidden", "This was begun in another browser. Go on there.");
  }
  const caller = await checkBeginner(context, back, attempt);
  // A state works once, whatever comes of it.
  if (!(await context.db.transact([takeAttempt(context.db, attempt)]))) throw unknownAttempt();
  const installation = await redeem(context, platform, back.parameters);
  for (let tries = 0; tries < 3; tries++) {
    if (await keep(context, caller, platform, installation)) {
      return { teamName: installation.teamName };
    }
  }
  throw new ServiceError("unavailable", "Others changed the connection meanwhile. Try again.");
}

async function redeem(
  context: ChatContext,
  platform: ChatPlatform,
  parameters: URLSearchParams,
): Promise<ChatInstallation> {
  if (parameters.has("error")) {
    throw new ServiceError("connection_failed", `${platform.label} was not allowed to connect.`);
  }
  try {
    const redirectUri = chatCallbackUrl(context, platform.name);
    return await platform.redeem({ parameters, redirectUri });
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    context.log.warn({ err: error }, "a chat platform gave no token");
    if (error.failure === "later") {
      throw new ServiceError("unavailable", `${platform.label} does not answer. Try again.`);
    }
    throw new ServiceError("connection_failed", `${platform.label} refused to connect. Try again.`);
  }
}

/**
 * Keeps a team for the caller's workspace; false when it changed meanwhile. The token of one that another workspace
 * has is not given back: the platform may have given the same one to both.
 */
async function keep(
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
  // The same row keeps who was linked; what another workspace had is gone with its row.
  const isKept = known !== undefined && isOwn && known.state !== "leaving";
  const row = toRow(context, caller, platform, installation, isKept ? known : undefined);
  const steps: TransactionStep[] = [];
  if (isKept) {
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
