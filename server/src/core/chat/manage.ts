import { chatProblemKind } from "@toolhost/contract";
import type { ChatConnection, ChatPlatformState, DeadLetter } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { auditInsert, commitWrite, notFound, ServiceError } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import { requireMembership } from "#core/workspaces";
import type { ChatConnectionTable, ChatInboxTable } from "#db";
import { toTimestamp } from "#lib/clock";
import { isId } from "#lib/ids";
import { cutPage } from "#lib/page";
import { changeConnection, findConnection, listConnectionRows } from "./connection-store.ts";
import { findStreamProblems } from "./stream-store.ts";
import { findDeadLetters, findInboxSize, markRequeued } from "./inbox-store.ts";

/** The chat platforms, and whether this server is configured for them. Throws `not_found`, `forbidden`. */
export async function listChatPlatforms(
  context: ChatContext,
  caller: Caller,
  workspaceId: string,
): Promise<ChatPlatformState[]> {
  await requireMembership(context, caller, workspaceId, "chat:manage");
  const problems = await findStreamProblems(context.db);
  return context.chat.known.map(({ name, label, capabilities }) => ({
    platform: name,
    label,
    providesEmails: capabilities.emails,
    isConfigured: context.chat.platforms.has(name),
    manifestUrl: `${context.config.baseUrl}/bot/${name}/manifest`,
    problem: context.chat.platforms.has(name)
      ? (problems.find(({ platform }) => platform === name)?.problem ?? null)
      : null,
  }));
}

/** A workspace's connections, oldest first. Throws `not_found`, `forbidden`. */
export async function listChatConnections(
  context: ChatContext,
  caller: Caller,
  workspaceId: string,
): Promise<ChatConnection[]> {
  await requireMembership(context, caller, workspaceId, "chat:manage");
  return (await listConnectionRows(context.db, workspaceId)).map((row) => present(context, row));
}

type Asked = { workspaceId: string; connectionId: string };

/** Changes whether members are matched by email. Throws `not_found`, `forbidden`, `unavailable`. */
export async function changeChatConnection(
  context: ChatContext,
  caller: Caller,
  asked: Asked,
  { linkByEmail }: { linkByEmail: boolean },
): Promise<ChatConnection> {
  const { insider, row } = await findManagedConnection(context, caller, asked);
  const change = { link_by_email: linkByEmail ? 1 : 0, changed_at: context.clock.now() };
  const changed = present(context, { ...row, ...change });
  const isChanged = await commitWrite(context, caller, changed, [
    changeConnection(context.db, row, change),
    auditInsert(context, insider, {
      action: "chat.change",
      target: row.id,
      details: { linkByEmail },
    }),
  ]);
  if (!isChanged) throw changedMeanwhile();
  return changed;
}

/**
 * Disconnects a team. Its messages are ignored and its links removed from this moment; the token is revoked
 * afterwards. Throws `not_found`, `forbidden`, `unavailable`.
 */
export async function disconnectChat(
  context: ChatContext,
  caller: Caller,
  asked: Asked,
): Promise<void> {
  const { insider, row } = await findManagedConnection(context, caller, asked);
  const change = { state: "leaving", changed_at: context.clock.now() };
  const isEnded = await commitWrite(context, caller, null, [
    changeConnection(context.db, row, change),
    auditInsert(context, insider, {
      action: "chat.disconnect",
      target: row.id,
      details: { platform: row.platform, team: row.team_id },
    }),
  ]);
  if (!isEnded) throw changedMeanwhile();
}

/** A page of dead letters, newest first, without their content. Throws `not_found`, `forbidden`. */
export async function listDeadLetters(
  context: ChatContext,
  caller: Caller,
  workspaceId: string,
  page: { limit: number; after: string | undefined },
): Promise<{ messages: DeadLetter[]; next: string | undefined }> {
  await requireMembership(context, caller, workspaceId, "chat:manage");
  const rows = await findDeadLetters(context.db, { workspaceId, ...page, limit: page.limit + 1 });
  const { shown, next } = cutPage(rows, page.limit, ({ id }) => id);
  return { messages: shown.map(presentDeadLetter), next };
}

/** Requeues a dead letter with a new set of attempts. Throws `not_found`, `forbidden`. */
export async function requeueDeadLetter(
  context: ChatContext,
  caller: Caller,
  { workspaceId, messageId }: { workspaceId: string; messageId: string },
): Promise<void> {
  const insider = await requireMembership(context, caller, workspaceId, "chat:manage");
  const { db, clock } = context;
  const requeue = isId(messageId)
    ? markRequeued(db, { id: messageId, workspaceId, now: clock.now() })
    : undefined;
  if (requeue === undefined) throw notFound("not_found", "dead letter", { id: messageId });
  const isRequeued = await commitWrite(context, caller, null, [
    { query: requeue, mustChange: true },
    auditInsert(context, insider, { action: "chat.retry", target: messageId }),
  ]);
  if (!isRequeued) throw notFound("not_found", "dead letter", { id: messageId });
  context.chat.worker.kick();
}

/** The size of the inbox of all workspaces and the age of its oldest job, for metrics. NaN while the database is unavailable. */
export async function readInboxState({
  db,
  clock,
}: ChatContext): Promise<{ waiting: number; dead: number; maxAgeMs: number }> {
  try {
    const { oldestAt, ...size } = await findInboxSize(db);
    return { ...size, maxAgeMs: oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) };
  } catch {
    return { waiting: Number.NaN, dead: Number.NaN, maxAgeMs: Number.NaN };
  }
}

async function findManagedConnection(
  context: ChatContext,
  caller: Caller,
  { workspaceId, connectionId }: Asked,
) {
  const insider = await requireMembership(context, caller, workspaceId, "chat:manage");
  const row = isId(connectionId)
    ? await findConnection(context.db, { id: connectionId, workspaceId })
    : undefined;
  if (row === undefined) {
    throw notFound("not_found", "chat connection", { id: connectionId });
  }
  return { insider, row };
}

function changedMeanwhile(): ServiceError {
  return new ServiceError(
    "unavailable",
    "The connection was modified by another request. Reload it and retry.",
    {
      retryAfterSeconds: 1,
    },
  );
}

function present({ chat }: ChatContext, row: ChatConnectionTable): ChatConnection {
  const granted = row.scopes.split(" ");
  const requested = chat.platforms.get(row.platform)?.scopes ?? [];
  return {
    id: row.id,
    platform: row.platform,
    teamId: row.team_id,
    teamName: row.team_name,
    state: row.state === "active" ? "active" : "broken",
    problem: row.problem,
    linkByEmail: row.link_by_email === 1,
    missingScopes: requested.filter((scope) => !granted.includes(scope)),
    connectedBy: row.connected_by,
    connectedAt: toTimestamp(row.connected_at),
  };
}

function presentDeadLetter(row: ChatInboxTable): DeadLetter {
  return {
    id: row.id,
    connectionId: row.connection_id,
    platform: row.platform,
    kind: row.kind === "departure" ? "message" : (row.kind as DeadLetter["kind"]),
    problem: row.problem ?? "",
    problemKind: chatProblemKind.nullable().parse(row.problem_kind),
    attempts: row.attempt,
    receivedAt: toTimestamp(row.created_at),
    failedAt: toTimestamp(row.finished_at ?? row.created_at),
  };
}
