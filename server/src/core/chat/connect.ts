import { authenticateSession } from "#core/identity";
import { commitWrite, mayDo, ServiceError } from "#core/kernel";
import type { Caller, RequestOrigin } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import { requireMembership } from "#core/workspaces";
import type { ChatAttemptTable } from "#db";
import { sha256 } from "#lib/hash";
import { randomToken } from "#lib/ids";
import { findAttempt, insertAttempt, setAttemptState } from "./attempt-store.ts";
import type { ChatPlatform } from "./platform.ts";

const attemptMs = 600_000;

/** A browser's request, as far as it says who asks. */
export type Visit = { headers: Headers; origin: RequestOrigin };

/**
 * Where an admin's browser begins the way to a platform, within ten minutes. Throws `not_found` for a platform that
 * this server is not set up for, and `forbidden`.
 */
export async function beginChatConnect(
  context: ChatContext,
  caller: Caller,
  asked: { workspaceId: string; platform: string },
): Promise<{ url: string }> {
  const { workspaceId, userId } = await requireMembership(
    context,
    caller,
    asked.workspaceId,
    "chat:manage",
  );
  const platform = platformOf(context, asked.platform);
  const ticket = randomToken();
  const result = {
    url: `${context.config.baseUrl}/bot/${platform.name}/install?ticket=${ticket}`,
  };
  const row = {
    ticket_hash: sha256(ticket),
    workspace_id: workspaceId,
    platform: platform.name,
    user_id: userId,
    state_hash: null,
    browser_hash: null,
    expires_at: context.clock.now() + attemptMs,
  };
  await commitWrite(context, caller, result, [insertAttempt(context.db, row)]);
  return result;
}

/** Where a browser goes next, and the secret that it has to bring back as a cookie. */
export type Departure = { location: string; browserSecret: string };

/**
 * Sends the browser of the person who began to the platform, with a state that works once. To begin again makes
 * what was begun before worthless. Throws `unauthenticated`, `not_found`, `forbidden`.
 */
export async function goToPlatform(
  context: ChatContext,
  visit: Visit,
  asked: { platform: string; ticket: string },
): Promise<Departure> {
  const platform = platformOf(context, asked.platform);
  const attempt = await findAttempt(context.db, "ticket_hash", sha256(asked.ticket));
  if (!isGood(context, attempt, platform)) throw unknownAttempt();
  await checkBeginner(context, visit, attempt);
  const state = randomToken();
  const browserSecret = randomToken();
  const hashes = { state_hash: sha256(state), browser_hash: sha256(browserSecret) };
  if (!(await context.db.transact([setAttemptState(context.db, attempt, hashes)]))) {
    throw unknownAttempt();
  }
  const redirectUri = chatCallbackUrl(context, platform.name);
  return { location: platform.installUrl({ state, redirectUri }), browserSecret };
}

/** What is registered at the platform as the address to send browsers back to. */
export function chatCallbackUrl({ config }: Pick<ChatContext, "config">, platform: string): string {
  return `${config.baseUrl}/bot/${platform}/callback`;
}

/** Throws `not_found` for a platform that this server is not set up for. */
export function platformOf({ chat }: Pick<ChatContext, "chat">, name: string): ChatPlatform {
  const platform = chat.platforms.get(name);
  if (platform !== undefined) return platform;
  throw new ServiceError(
    "not_found",
    "This server is not set up for this chat platform. Its operator finds the settings in .env.example.",
  );
}

/** Whether an attempt can still be gone on with. */
export function isGood(
  { clock }: Pick<ChatContext, "clock">,
  attempt: ChatAttemptTable | undefined,
  platform: ChatPlatform,
): attempt is ChatAttemptTable {
  if (attempt === undefined || attempt.platform !== platform.name) return false;
  return attempt.expires_at > clock.now();
}

/** The person who began, still an admin, by the session that the browser sends. */
export async function checkBeginner(
  context: ChatContext,
  { headers, origin }: Visit,
  attempt: ChatAttemptTable,
): Promise<Caller> {
  const caller = await authenticateSession(context, headers, attempt.workspace_id, origin);
  if (caller.userId !== attempt.user_id) {
    throw new ServiceError("forbidden", "This was begun by somebody else. Sign in as that person.");
  }
  if (!mayDo(caller.role, "chat:manage")) {
    throw new ServiceError("forbidden", "Your role in this workspace does not allow this.");
  }
  return caller;
}

export function unknownAttempt(): ServiceError {
  return new ServiceError(
    "not_found",
    "This address is not known, was used already, or is older than ten minutes. Begin again in the workspace's settings.",
  );
}
