import { authenticateChatUser } from "#core/access";
import type { Caller } from "#core/access";
import { auditInsert } from "#core/audit";
import type { Context } from "#core/context";
import type { ChatConnectionTable } from "#db";
import { sha256 } from "#lib/hash";
import { newId, randomToken } from "#lib/ids";
import { ChatError } from "./chat-error.ts";
import {
  findLink,
  findMemberByVerifiedEmail,
  insertLinkToken,
  writeFirstLink,
} from "./link-store.ts";
import type { ChatProfile, ChatTransport } from "./platform.ts";

/** How long an address to link oneself holds. */
const linkMs = 3_600_000;

/** Who asks: a person in the workspace, or somebody whom nobody knows or who is no member any more. */
export type Identified =
  | { caller: Caller }
  /** Where they say who they are. */
  | { linkUrl: string }
  | { isFormerMember: true };

type Asking = {
  connection: ChatConnectionTable;
  transport: ChatTransport;
  chatUserId: string;
  requestId: string;
};

/**
 * Who a user of a team is here, looked up each time: by their link, or by the e-mail address that the team has of
 * them where the workspace allows that.
 */
export async function identify(context: Context, asking: Asking): Promise<Identified> {
  const { connection, chatUserId } = asking;
  const link = await findLink(context.db, connection.id, chatUserId);
  const profile = link === undefined ? await readProfile(context, asking) : undefined;
  const userId = link === undefined ? await linkByEmail(context, asking, profile) : link.user_id;
  if (userId === null || userId === undefined) {
    return {
      linkUrl: await offerLink(context, asking, profile ?? (await readProfile(context, asking))),
    };
  }
  const caller = await authenticateChatUser(context, {
    userId,
    workspaceId: connection.workspace_id,
    chatUserId: chatUserName(connection, chatUserId),
    requestId: asking.requestId,
  });
  return caller === undefined ? { isFormerMember: true } : { caller };
}

/** A chat user as the audit trail names them. */
export function chatUserName(
  { platform, team_id: teamId }: Pick<ChatConnectionTable, "platform" | "team_id">,
  chatUserId: string,
): string {
  return `${platform}:${teamId}/${chatUserId}`;
}

/** Undefined where the team does not tell: nobody is linked by what is not known. */
async function readProfile(
  context: Context,
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

async function linkByEmail(
  context: Context,
  { connection, chatUserId, requestId }: Asking,
  profile: ChatProfile | undefined,
): Promise<string | undefined> {
  if (connection.link_by_email !== 1 || profile?.email === undefined) return undefined;
  const { id: connectionId, workspace_id: workspaceId } = connection;
  const email = profile.email.toLowerCase();
  const userId = await findMemberByVerifiedEmail(context.db, workspaceId, email);
  if (userId === undefined) return undefined;
  const chatUser = chatUserName(connection, chatUserId);
  const row = {
    id: newId(),
    connection_id: connectionId,
    chat_user_id: chatUserId,
    user_id: userId,
    how: "email",
    created_at: context.clock.now(),
  };
  await context.db.transact([
    writeFirstLink(context.db, row),
    auditInsert(
      context,
      {
        workspaceId,
        actor: { userId, chatUserId: chatUser },
        via: "bot",
        requestId,
        ip: null,
      },
      { action: "chat.link", target: row.id, details: { chatUser, how: "email" } },
    ),
  ]);
  // Somebody may have linked them at the same moment.
  return (await findLink(context.db, connectionId, chatUserId))?.user_id ?? undefined;
}

async function offerLink(
  context: Context,
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
