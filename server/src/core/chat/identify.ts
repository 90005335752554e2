import { authenticateChatUser } from "#core/identity";
import type { Caller } from "#core/kernel";
import { auditInsert } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable, ChatLinkTable } from "#db";
import { sha256 } from "#lib/hash";
import { newId, randomToken } from "#lib/ids";
import { ChatError } from "./chat-error.ts";
import {
  deleteEmailLink,
  findLink,
  findMemberByVerifiedEmail,
  insertLinkToken,
  writeFirstLink,
} from "./link-store.ts";
import type { ChatProfile, ChatTransport } from "./platform.ts";

/** How long a link to connect an account is valid. */
const linkMs = 3_600_000;

/** The person behind a chat user, or why there is none. */
export type Identified =
  | { caller: Caller }
  /** The page on which they link their account. */
  | { linkUrl: string }
  | { isFormerMember: true };

type Asking = {
  connection: ChatConnectionTable;
  transport: ChatTransport;
  chatUserId: string;
  /** Whether the event marks the user as a guest or a member of another team. */
  isExternal: boolean;
  requestId: string;
};

/**
 * Identifies a chat user on every request: by the link that the user made, or by the email address in the team where
 * the workspace allows that. Throws `ChatError` if the platform has to be queried and fails, so that no one acts as a
 * user in the meantime.
 */
export async function identify(context: ChatContext, asking: Asking): Promise<Identified> {
  const { connection, chatUserId } = asking;
  const link = await findLink(context.db, connection.id, chatUserId);
  if (link !== undefined && link.how !== "email" && link.user_id !== null) {
    return enter(context, asking, link.user_id);
  }
  const profile = await readProfile(context, asking);
  const userId = await identifyByEmail(context, asking, { link, profile });
  if (userId === undefined) return { linkUrl: await offerLink(context, asking, profile) };
  return enter(context, asking, userId);
}

async function enter(context: ChatContext, asking: Asking, userId: string): Promise<Identified> {
  const caller = await authenticateLinked(context, asking, userId);
  return caller === undefined ? { isFormerMember: true } : { caller };
}

/**
 * The member to whom a chat user is linked; undefined for a former member. A link by email address is not checked
 * here, so call {@link identify} before acting in the member's name.
 */
export async function authenticateLinked(
  context: ChatContext,
  { connection, chatUserId, requestId }: Pick<Asking, "connection" | "chatUserId" | "requestId">,
  userId: string,
): Promise<Caller | undefined> {
  return authenticateChatUser(context, {
    userId,
    workspaceId: connection.workspace_id,
    chatUserId: chatUserName(connection, chatUserId),
    requestId,
  });
}

/** A chat user as the audit log names them. */
export function chatUserName(
  { platform, team_id: teamId }: Pick<ChatConnectionTable, "platform" | "team_id">,
  chatUserId: string,
): string {
  return `${platform}:${teamId}/${chatUserId}`;
}

/** Undefined where the platform does not disclose it; an unknown address links no one. */
async function readProfile(
  context: ChatContext,
  { transport, chatUserId }: Asking,
): Promise<ChatProfile | undefined> {
  try {
    return await transport.findProfile(chatUserId);
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "revoked" || error.failure === "later") {
      throw error;
    }
    context.log.debug({ err: error }, "a chat user's profile could not be read");
    return undefined;
  }
}

type Known = { link: ChatLinkTable | undefined; profile: ChatProfile | undefined };

/**
 * The member whose verified address the chat user has. A link by email address is checked each time, because a full
 * member may become a guest or change their address.
 */
async function identifyByEmail(
  context: ChatContext,
  asking: Asking,
  { link, profile }: Known,
): Promise<string | undefined> {
  const { connection, isExternal } = asking;
  // The person removed the link, so their address alone does not restore it.
  if (link?.user_id === null) return undefined;
  if (connection.link_by_email !== 1 || isExternal || profile === undefined) return undefined;
  const email = profile.email?.toLowerCase();
  // Changing the case of other alphabets may produce another address.
  const isPlain = email !== undefined && /^[!-~]+$/.test(profile.email ?? "");
  const userId = isPlain
    ? await findMemberByVerifiedEmail(context.db, connection.workspace_id, email)
    : undefined;
  if (link === undefined) {
    return userId === undefined ? undefined : linkByEmail(context, asking, userId);
  }
  if (userId === link.user_id) return userId;
  await unlink(context, asking, link, link.user_id);
  return undefined;
}

async function linkByEmail(
  context: ChatContext,
  asking: Asking,
  userId: string,
): Promise<string | undefined> {
  const { connection, chatUserId } = asking;
  const row = {
    id: newId(),
    connection_id: connection.id,
    chat_user_id: chatUserId,
    user_id: userId,
    how: "email",
    created_at: context.clock.now(),
  };
  await context.db.transact([
    writeFirstLink(context.db, row),
    linkEvent(context, asking, { action: "chat.link", linkId: row.id, userId }),
  ]);
  // Another request may have linked them at the same moment.
  const link = await findLink(context.db, connection.id, chatUserId);
  return link?.user_id === userId || link?.how === "person"
    ? (link.user_id ?? undefined)
    : undefined;
}

async function unlink(
  context: ChatContext,
  asking: Asking,
  link: ChatLinkTable,
  userId: string,
): Promise<void> {
  await context.db.transact([
    deleteEmailLink(context.db, link),
    linkEvent(context, asking, { action: "chat.unlink", linkId: link.id, userId }),
  ]);
}

function linkEvent(
  context: ChatContext,
  { connection, chatUserId, requestId }: Asking,
  {
    action,
    linkId,
    userId,
  }: { action: "chat.link" | "chat.unlink"; linkId: string; userId: string },
) {
  const chatUser = chatUserName(connection, chatUserId);
  const actor = { userId, chatUserId: chatUser };
  const { workspace_id: workspaceId } = connection;
  return auditInsert(
    context,
    { workspaceId, actor, via: "bot", requestId, ip: null },
    { action, target: linkId, details: { chatUser, how: "email" } },
  );
}

async function offerLink(
  context: ChatContext,
  { connection, chatUserId }: Asking,
  profile: ChatProfile | undefined,
): Promise<string> {
  const token = randomToken();
  await context.db.transact([
    insertLinkToken(context.db, {
      token_hash: sha256(token),
      connection_id: connection.id,
      chat_user_id: chatUserId,
      chat_user_name: (profile?.name ?? chatUserId).slice(0, 100),
      expires_at: context.clock.now() + linkMs,
    }),
  ]);
  return `${context.config.baseUrl}/bot/link?token=${token}`;
}
