import type { ChatLink } from "@toolhost/contract";
import { authenticateSession, findPerson } from "#core/identity";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, notFound, ServiceError } from "#core/kernel";
import type { Visit } from "#core/oauth-client";
import type { ChatContext } from "./context.ts";
import { toTimestamp } from "#lib/clock";
import { sha256 } from "#lib/hash";
import { isId, newId } from "#lib/ids";
import { cutPage } from "#lib/page";
import { chatUserName } from "./identify.ts";
import {
  findLinkOf,
  findLinkToken,
  listLinkRows,
  takeLinkToken,
  undoLink,
  writeLink,
} from "./link-store.ts";
import type { FoundToken } from "./link-store.ts";
import { messages } from "./messages.ts";
import { findUnlinked, maxUnlinkedMs, requeueUnlinked } from "./inbox-store.ts";

/** A page of the caller's linked chat users, newest first. */
export async function listChatLinks(
  context: ChatContext,
  caller: Caller,
  page: { limit: number; after: string | undefined },
): Promise<{ links: ChatLink[]; next: string | undefined }> {
  const rows = await listLinkRows(context.db, caller.userId, { ...page, limit: page.limit + 1 });
  const { shown, next } = cutPage(rows, page.limit, ({ id }) => id);
  const links = shown.map((row) => ({
    id: row.id,
    platform: row.platform,
    teamName: row.team_name,
    workspaceId: row.workspace_id,
    chatUserId: row.chat_user_id,
    how: row.how === "email" ? ("email" as const) : ("person" as const),
    linkedAt: toTimestamp(row.created_at),
  }));
  return { links, next };
}

/** Removes one of the caller's links, which their email address alone does not restore. Throws `not_found`. */
export async function removeChatLink(
  context: ChatContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const { db } = context;
  const { userId } = caller;
  const row = isId(id) ? await findLinkOf(db, { id, userId }) : undefined;
  if (row === undefined) throw notFound("not_found", "chat link", { id });
  const isUndone = await commitWrite(context, caller, null, [
    undoLink(db, { id, userId }),
    auditInsert(
      context,
      { ...caller, workspaceId: row.workspace_id },
      {
        action: "chat.unlink",
        target: id,
        details: { chatUser: chatUserName(row, row.chat_user_id) },
      },
    ),
  ]);
  if (!isUndone) throw notFound("not_found", "chat link", { id });
}

/** What a person confirms before linking: the chat user and their own account. */
type LinkOffer = {
  platform: string;
  teamName: string;
  chatUserId: string;
  /** The display name of the chat user. */
  chatUserName: string;
  person: { id: string; email: string };
};

/**
 * The link that a person is asked to confirm. Throws `not_found` for a token that is invalid, used or expired, and
 * `unauthenticated`.
 */
export async function offerChatLink(
  context: ChatContext,
  headers: Headers,
  token: string,
): Promise<LinkOffer> {
  const found = await findToken(context, token);
  const session = await context.people.findSession(headers);
  if (session === undefined) throw new ServiceError("unauthenticated", "Sign in to continue.");
  const person = await findPerson(context.db, session.userId);
  return {
    platform: context.chat.platforms.get(found.platform)?.label ?? found.platform,
    teamName: found.team_name,
    chatUserId: found.chat_user_id,
    chatUserName: found.chat_user_name,
    person: { id: session.userId, email: person?.email ?? "" },
  };
}

/**
 * Links the chat user of a token to the signed-in person, and replaces an earlier link. Throws `not_found`,
 * `unauthenticated`, and `forbidden` for a person who is not in the team's workspace or has changed since the page
 * was shown.
 */
export async function takeChatLink(
  context: ChatContext,
  visit: Visit,
  { token, personId }: { token: string; personId: string },
): Promise<void> {
  const found = await findToken(context, token);
  const caller = await enterTeam(context, visit, found.workspace_id);
  if (caller.userId !== personId) {
    throw new ServiceError("forbidden", messages.otherUserSignedIn);
  }
  const { db, clock } = context;
  const row = {
    id: newId(),
    connection_id: found.connection_id,
    chat_user_id: found.chat_user_id,
    user_id: caller.userId,
    how: "person",
    created_at: clock.now(),
  };
  const chatUser = chatUserName(found, found.chat_user_id);
  const isLinked = await db.transact([
    ...takeLinkToken(db, found),
    writeLink(db, row),
    auditInsert(context, caller, {
      action: "chat.link",
      target: row.id,
      details: { chatUser, how: "person" },
    }),
  ]);
  if (!isLinked) throw unknownToken();
  await continueMessages(context, found);
}

/** How many messages are answered after their author linked their account. */
const maxContinued = 3;

/** Answers the messages for which the person was asked to link their account. */
async function continueMessages(
  { db, clock, chat }: ChatContext,
  { connection_id: connectionId, chat_user_id: chatUserId }: FoundToken,
): Promise<void> {
  const now = clock.now();
  const author = { connectionId, chatUserId, since: now - maxUnlinkedMs };
  const ids = await findUnlinked(db, author, maxContinued);
  if (ids.length === 0) return;
  await db.transact([requeueUnlinked(db, ids, now)]);
  chat.worker.kick();
}

/**
 * The signed-in person in the workspace of a team. Throws `unauthenticated`, and `forbidden` for a person who is not in
 * the workspace.
 */
export async function enterTeam(
  context: ChatContext,
  { headers, origin }: Visit,
  workspaceId: string,
): Promise<Caller> {
  try {
    return await authenticateSession(context, headers, workspaceId, origin);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "not_found") throw error;
    throw new ServiceError("forbidden", messages.notInWorkspace);
  }
}

async function findToken(context: ChatContext, token: string) {
  const found = await findLinkToken(context.db, sha256(token), context.clock.now());
  if (found === undefined) throw unknownToken();
  return found;
}

function unknownToken(): ServiceError {
  return new ServiceError(
    "not_found",
    "This link is invalid, has expired or was used already. Mention the bot again to get a new one.",
  );
}
