import { commitWrite, lostKey, mayDo, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { createAttempt, openAttempt, startAuthorization, unknownAttempt } from "#core/oauth-client";
import type { AttemptRow, AuthorizationRedirect, Visit } from "#core/oauth-client";
import { requireMembership } from "#core/workspaces";
import { quote } from "#lib/quote";
import type { ChatContext } from "./context.ts";
import type { ChatPlatform } from "./platform.ts";

/**
 * A link with which an admin installs the bot in a team. Throws `not_found` for a platform that this server is not
 * configured for, and `forbidden`.
 */
export async function createInstallLink(
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
  const { ticket, steps } = createAttempt(context, "chat_attempts", {
    workspace_id: workspaceId,
    platform: platform.name,
    user_id: userId,
  });
  const result = {
    url: `${context.config.baseUrl}/bot/${platform.name}/install?ticket=${ticket}`,
  };
  if (!(await commitWrite(context, caller, result, steps))) throw lostKey();
  return result;
}

/** Redirects the initiator's browser to the platform. Throws `unauthenticated`, `not_found`, `forbidden`. */
export async function authorizeInstall(
  context: ChatContext,
  visit: Visit,
  asked: { platform: string; ticket: string },
): Promise<AuthorizationRedirect> {
  const platform = platformOf(context, asked.platform);
  const { attempt, caller } = await openAttempt(context, "chat_attempts", visit, asked.ticket);
  assertMayInstall(caller, platform, attempt);
  // No PKCE: Slack and Discord redeem the code with our client secret, and take no code challenge from such clients.
  const started = await startAuthorization(context, "chat_attempts", attempt);
  const { state, browserSecret, cookieSuffix } = started;
  const redirectUri = chatCallbackUrl(context, platform.name);
  return { location: platform.installUrl({ state, redirectUri }), browserSecret, cookieSuffix };
}

/** The redirect URI that is registered at the platform. */
export function chatCallbackUrl({ config }: Pick<ChatContext, "config">, platform: string): string {
  return `${config.baseUrl}/bot/${platform}/callback`;
}

/** Throws `not_found` for an unknown platform, and for one that this server is not configured for. */
export function platformOf({ chat }: Pick<ChatContext, "chat">, name: string): ChatPlatform {
  const platform = chat.platforms.get(name);
  if (platform !== undefined) return platform;
  const known = chat.known.find((one) => one.name === name);
  throw new ServiceError(
    "not_found",
    known === undefined
      ? `Unknown chat platform ${quote(name)}. Use ${chat.known.map((one) => quote(one.name)).join(" or ")}.`
      : `This server isn't configured for ${known.label}. Ask its operator to set it up.`,
  );
}

/** Throws `not_found` for another platform's attempt, and `forbidden` for an initiator who is no longer an admin. */
export function assertMayInstall(
  { role }: Caller,
  platform: ChatPlatform,
  attempt: Pick<AttemptRow<"chat_attempts">, "platform">,
): void {
  if (attempt.platform !== platform.name) throw unknownAttempt();
  if (!mayDo(role, "chat:manage")) {
    throw new ServiceError("forbidden", "Your role in this workspace doesn't allow this.");
  }
}
