import { mayDo, roles } from "@toolhost/contract";
import type { CredentialRequest, MissingCredential } from "@toolhost/contract";
import { findUsedTool, getTool, toolUrl } from "#core/catalog";
import {
  auditInsert,
  commitWrite,
  credentialRequestEmail,
  lostKey,
  notFound,
  ServiceError,
} from "#core/kernel";
import type { Caller } from "#core/kernel";
import { findMissingCredentials, tryFindMissingCredentials } from "#core/runs";
import { toTimestamp } from "#lib/clock";
import { newId } from "#lib/ids";
import type { WorkspacesContext } from "./context.ts";
import {
  countRequests,
  deleteRequests,
  findEmailsOfRoles,
  findRequests,
  upsertRequest,
} from "./credential-request-store.ts";
import type { RequestRow } from "./credential-request-store.ts";
import { findMember } from "./member-store.ts";
import { findMemberWorkspace } from "./workspace-store.ts";

const dayMs = 86_400_000;
const retentionMs = 30 * dayMs;
const maxPerDay = 10;
const maxListed = 20;
const maxRecipients = 20;

/**
 * Asks the admins for what a tool lacks for the caller. An email goes out once per tool and day. Throws `tool_not_found`,
 * `invalid_request` if the tool lacks nothing, and `quota_exceeded`.
 */
export async function requestCredentials(
  context: WorkspacesContext,
  caller: Caller,
  name: string,
): Promise<CredentialRequest> {
  const { db } = context;
  const tool = await getTool(context, caller, name);
  if (tool.visibility === "private") {
    throw new ServiceError(
      "forbidden",
      `Admins cannot see the private tool ${name}. Share it first.`,
    );
  }
  const missing = await findMissingCredentials(context, caller, name);
  if (missing.length === 0) {
    throw new ServiceError(
      "invalid_request",
      `The tool ${name} lacks no credential. Run it again.`,
    );
  }
  const now = context.clock.now();
  const { workspaceId, userId } = caller;
  const known = await findToday(context, caller, name);
  if (known !== undefined) return present(known, missing);
  const member = await findMember(db, workspaceId, userId);
  const used = await findUsedTool(db, caller, name);
  if (used === undefined) throw notFound("tool_not_found", "tool", { name });
  const row = {
    id: newId(),
    workspace_id: workspaceId,
    user_id: userId,
    tool_id: used.id,
    created_at: now,
  };
  const described = {
    user_name: member?.name ?? "",
    user_email: member?.email ?? "",
    tool_name: name,
    tool_title: tool.title,
  };
  const created = present({ ...row, ...described }, missing);
  const names = missing.map((one) => one.name).join(" ");
  const isSaved = await commitWrite(context, caller, created, [
    upsertRequest(db, row),
    auditInsert(context, caller, {
      action: "credential.request",
      target: name,
      details: { credentials: names },
    }),
  ]);
  if (!isSaved) throw lostKey();
  await notifyAdmins(context, caller, created);
  return created;
}

/** The caller's request for the same tool within a day. Throws `quota_exceeded` if another one would be too many. */
async function findToday(
  { db, clock }: WorkspacesContext,
  { workspaceId, userId }: Caller,
  name: string,
): Promise<RequestRow | undefined> {
  const since = clock.now() - dayMs;
  const page = { since, limit: maxPerDay + 1 };
  const pending = await findRequests(db, { workspaceId, userId }, page);
  const known = pending.find((row) => row.tool_name === name);
  if (known !== undefined) return known;
  if ((await countRequests(db, { workspaceId, userId }, since)) < maxPerDay) return undefined;
  throw new ServiceError(
    "quota_exceeded",
    `You have requested the credentials of ${maxPerDay} tools today. Try again tomorrow, or contact an admin.`,
  );
}

async function notifyAdmins(
  context: WorkspacesContext,
  { workspaceId, userId }: Caller,
  { tool, user, missing }: CredentialRequest,
): Promise<void> {
  // The request is shown in the console in any case.
  if (!context.mailer.isConfigured) return;
  const admins = roles.filter((role) => mayDo(role, "credentials:share"));
  const recipients = await findEmailsOfRoles(context.db, workspaceId, admins, maxRecipients);
  const workspace = await findMemberWorkspace(context.db, userId, workspaceId);
  const facts = {
    workspaceName: workspace?.name ?? "",
    userName: user.name,
    toolTitle: tool.title,
    credentials: missing.map(({ name }) => name),
  };
  const url = `${toolUrl(context.config.baseUrl, tool.name)}?tab=sharing`;
  for (const to of recipients) context.mailer.send(credentialRequestEmail(to, url, facts));
}

/** Pending requests: of all members for admins, of the caller for others. Deletes those that nothing is missing for. */
export async function listCredentialRequests(
  context: WorkspacesContext,
  caller: Caller,
): Promise<CredentialRequest[]> {
  const { db } = context;
  const { workspaceId } = caller;
  const before = context.clock.now() - retentionMs;
  const isAdmin = mayDo(caller.role, "credentials:share");
  const rows = await findRequests(
    db,
    { workspaceId, userId: isAdmin ? undefined : caller.userId },
    { since: before, limit: maxListed },
  );
  const checked = await Promise.all(
    rows.map(async (row) => {
      const viewer = { ...caller, userId: row.user_id };
      // The tool may be archived, or private since.
      const missing = await tryFindMissingCredentials(context, viewer, row.tool_name).catch(
        () => [],
      );
      return { row, missing };
    }),
  );
  const ended = checked.filter(({ missing }) => missing?.length === 0).map(({ row }) => row.id);
  if (ended.length > 0) await deleteRequests(db, workspaceId, { ids: ended, before });
  return checked
    .filter(({ row }) => !ended.includes(row.id))
    .map(({ row, missing }) => present(row, missing ?? []));
}

function present(
  row: RequestRow,
  missing: readonly Pick<MissingCredential, "name" | "reason">[],
): CredentialRequest {
  return {
    id: row.id,
    tool: { name: row.tool_name, title: row.tool_title },
    user: { id: row.user_id, name: row.user_name || row.user_email },
    missing: missing.map(({ name, reason }) => ({ name, reason })),
    createdAt: toTimestamp(row.created_at),
  };
}
