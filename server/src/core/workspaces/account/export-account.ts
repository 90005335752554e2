import { findOwnSearches } from "#core/catalog";
import { findMemberships, findPerson } from "#core/identity";
import { auditInsert, noWorkspace, ServiceError, streamEventsOfUser } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { WorkspacesContext } from "../context.ts";
import type { AuditEventTable, RunTable } from "#db";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import {
  findOwnChatLinks,
  findOwnCredentials,
  findOwnAlwaysAllowed,
  findOwnCredentialRequests,
  findOwnDrafts,
  findOwnGrants,
  findOwnKeys,
  findOwnPreferences,
  findOwnTools,
  findRunsById,
  findSignInMethods,
  nextRuns,
} from "./export-store.ts";

const rowPageSize = 1_000;
/** Each run may contain megabytes of input and output. */
const runPageSize = 20;

type Reader = Pick<WorkspacesContext, "db">;
type UserInWorkspace = { workspaceId: string; userId: string };

/**
 * Streams all data of a user as JSON: the profile and, for each workspace, their tools, drafts, API keys, credentials (names
 * only), apps, runs and audit events. It contains no secrets. Records an audit event first.
 */
export async function exportAccount(
  context: WorkspacesContext,
  caller: Caller,
): Promise<ReadableStream<Uint8Array>> {
  const person = await findPerson(context.db, caller.userId);
  if (person === undefined)
    throw new ServiceError("unauthenticated", "This account no longer exists.");
  await context.db.transact([
    auditInsert(context, caller, { action: "account.export", target: caller.userId }),
  ]);
  const head = {
    exportedAt: toTimestamp(context.clock.now()),
    profile: {
      ...person,
      signInMethods: await findSignInMethods(context.db, caller.userId),
    },
  };
  return ReadableStream.from(encode(writeAccount(context, caller.userId, head)));
}

async function* encode(parts: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield encoder.encode(part);
}

async function* writeAccount(context: Reader, userId: string, head: object) {
  yield JSON.stringify(head).slice(0, -1);
  yield ',"workspaces":[';
  let isFirst = true;
  for (const membership of await findMemberships(context.db, userId)) {
    const { workspace_id: workspaceId, name, role } = membership;
    const target = { workspaceId, userId };
    const about = { id: workspaceId, name, role, ...(await describe(context, target)) };
    yield `${isFirst ? "" : ","}${JSON.stringify(about).slice(0, -1)}`;
    isFirst = false;
    yield* writeList("runs", readRuns(context, target));
    yield* writeList("auditEvents", readEvents(context, target));
    yield "}";
  }
  yield "]";
  yield* writeList("accountEvents", readEvents(context, { workspaceId: noWorkspace, userId }));
  yield "}\n";
}

async function* writeList(name: string, items: AsyncIterable<object>) {
  yield `,${JSON.stringify(name)}:[`;
  let isFirst = true;
  for await (const item of items) {
    yield `${isFirst ? "" : ","}${JSON.stringify(item)}`;
    isFirst = false;
  }
  yield "]";
}

async function describeOwnChoices(db: Reader["db"], target: UserInWorkspace) {
  const stored = await findOwnPreferences(db, target);
  const requests = await findOwnCredentialRequests(db, target);
  const allowed = await findOwnAlwaysAllowed(db, target);
  return {
    preferences: JSON.parse(stored?.preferences ?? "null") as unknown,
    credentialRequests: requests.map((request) => ({
      toolName: request.tool_name,
      createdAt: toTimestamp(request.created_at),
    })),
    alwaysAllowedTools: allowed.map((tool) => ({
      toolName: tool.tool_name,
      version: tool.version,
      at: toTimestamp(tool.at),
    })),
  };
}

async function describe({ db }: Reader, target: UserInWorkspace) {
  const [tools, drafts, keys, credentials, grants, chatLinks, searches] = await Promise.all([
    findOwnTools(db, target),
    findOwnDrafts(db, target),
    findOwnKeys(db, target),
    findOwnCredentials(db, target),
    findOwnGrants(db, target),
    findOwnChatLinks(db, target),
    findOwnSearches(db, target),
  ]);
  return {
    ...(await describeOwnChoices(db, target)),
    tools: tools.map(({ definition, source, created_at, archived_at, ...rest }) => ({
      ...rest,
      createdAt: toTimestamp(created_at),
      archivedAt: toTimestampOrNull(archived_at),
      definition: JSON.parse(definition) as unknown,
      source: JSON.parse(source) as unknown,
    })),
    drafts: drafts.map(({ title, revision, ...draft }) => ({
      title,
      revision,
      createdAt: toTimestamp(draft.created_at),
      updatedAt: toTimestamp(draft.updated_at),
      definition: JSON.parse(draft.definition) as unknown,
    })),
    apiKeys: keys.map((key) => ({
      name: key.name,
      prefix: key.prefix,
      scopes: key.scopes.split(" "),
      createdAt: toTimestamp(key.created_at),
      expiresAt: toTimestampOrNull(key.expires_at),
      lastUsedAt: toTimestampOrNull(key.last_used_at),
      revokedAt: toTimestampOrNull(key.revoked_at),
    })),
    credentials: credentials.map((credential) => ({
      name: credential.name,
      hosts: JSON.parse(credential.hosts) as unknown,
      createdAt: toTimestamp(credential.created_at),
      lastUsedAt: toTimestampOrNull(credential.last_used_at),
    })),
    connectedApps: grants.map((grant) => ({
      clientName: grant.client_name,
      clientUri: grant.client_uri,
      scopes: grant.scopes.split(" ").filter((scope) => scope !== ""),
      restScopes: (grant.rest_scopes ?? "").split(" ").filter((scope) => scope !== ""),
      createdAt: toTimestamp(grant.created_at),
      lastUsedAt: toTimestampOrNull(grant.last_used_at),
    })),
    chatLinks: chatLinks.map((link) => ({
      platform: link.platform,
      teamName: link.team_name,
      chatUserId: link.chat_user_id,
      how: link.how,
      linkedAt: toTimestamp(link.created_at),
    })),
    searches,
  };
}

async function* readRuns({ db }: Reader, { workspaceId, userId }: UserInWorkspace) {
  let after = "";
  for (;;) {
    const rows = await nextRuns(db, workspaceId, after, rowPageSize);
    const own = rows.filter((row) => row.user_id === userId).map(({ id }) => id);
    for (let from = 0; from < own.length; from += runPageSize) {
      for (const run of await findRunsById(db, own.slice(from, from + runPageSize))) {
        yield presentRun(run);
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

function parse(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

function presentRun(run: RunTable) {
  return {
    id: run.id,
    toolName: run.tool_name,
    toolVersion: run.tool_version,
    status: run.status,
    via: run.via,
    ip: run.ip,
    createdAt: toTimestamp(run.created_at),
    finishedAt: toTimestampOrNull(run.finished_at),
    input: parse(run.input),
    output: parse(run.output),
    error: parse(run.error),
  };
}

async function* readEvents({ db }: Reader, target: UserInWorkspace) {
  for await (const event of streamEventsOfUser(db, target)) yield presentEvent(event);
}

function presentEvent(event: AuditEventTable) {
  const { id, via, action, target, outcome, ip } = event;
  const details = JSON.parse(event.details) as unknown;
  return { id, at: toTimestamp(event.at), via, action, target, outcome, ip, details };
}
