import { errorCodes } from "@toolhost/contract";
import type { ErrorCode } from "@toolhost/contract";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import type { Database, TransactionStep } from "#db";

type Cap = {
  /** The setting with the greatest number; 0 turns the cap off. */
  setting: keyof Config & `${"USER" | "WORKSPACE" | "OAUTH"}_MAX_${string}`;
  /** The noun in error messages. */
  what: string;
  /** What the caller can do when the cap is reached. */
  remedy: string;
  /** Where it is not `quota_exceeded`. */
  code?: ErrorCode;
  /** For a cap that frees automatically. Other caps free only when a user acts, so automatic retries are spaced out. */
  retryAfterSeconds?: number;
};

/** How many of something may exist, by the name that clients see in `limit.name`. */
const caps = {
  workspaces: {
    setting: "USER_MAX_WORKSPACES",
    what: "workspaces that one user owns",
    remedy: "Delete one, or transfer it to another member.",
  },
  "user-api-keys": {
    setting: "USER_MAX_API_KEYS",
    what: "API keys of one user in all workspaces",
    remedy: "Revoke a key that is not used.",
  },
  "workspace-api-keys": {
    setting: "WORKSPACE_MAX_API_KEYS",
    what: "API keys of one workspace",
    remedy: "Revoke a key that is not used.",
  },
  members: {
    setting: "WORKSPACE_MAX_MEMBERS",
    what: "members of one workspace",
    remedy: "Ask an admin to remove a member.",
  },
  invitations: {
    setting: "WORKSPACE_MAX_INVITATIONS",
    what: "pending invitations of one workspace",
    remedy: "Revoke an invitation that is not needed.",
  },
  tools: {
    setting: "WORKSPACE_MAX_TOOLS",
    what: "tools of one workspace",
    remedy: "Archive a tool that is not used.",
  },
  "tool-bytes": {
    setting: "WORKSPACE_MAX_TOOL_BYTES",
    what: "bytes of tool versions of one workspace, archived tools included",
    remedy: "Save a smaller version, or delete an archived tool (DELETE /archived-tools/:name).",
  },
  "draft-bytes": {
    setting: "WORKSPACE_MAX_DRAFT_BYTES",
    what: "bytes of drafts and their builds of one workspace",
    remedy: "Delete a draft that is not used. Builds that nothing needs are deleted after an hour.",
  },
  "run-bytes": {
    setting: "WORKSPACE_MAX_RUN_BYTES",
    what: "bytes of stored runs of one workspace",
    remedy:
      "The oldest runs are deleted to make room, but none of the last day. Return smaller outputs, wait, or ask the operator to raise WORKSPACE_MAX_RUN_BYTES.",
    retryAfterSeconds: 60,
  },
  "installed-tools": {
    setting: "WORKSPACE_MAX_INSTALLED_TOOLS",
    what: "installed tools of one workspace",
    remedy: "Uninstall a tool that is not used.",
  },
  drafts: {
    setting: "USER_MAX_DRAFTS",
    what: "drafts of one user in all workspaces",
    remedy: "Publish or delete a draft.",
    code: "draft_limit",
  },
  "user-credentials": {
    setting: "USER_MAX_CREDENTIALS",
    what: "credentials of one user in all workspaces",
    remedy: "Delete a credential that is not used.",
  },
  "workspace-credentials": {
    setting: "WORKSPACE_MAX_CREDENTIALS",
    what: "shared credentials of one workspace",
    remedy: "Delete a credential that is not used.",
  },
  "connection-attempts": {
    setting: "USER_MAX_CONNECTION_ATTEMPTS",
    what: "open attempts of one user to connect an account",
    remedy: "Finish one, or wait ten minutes until the oldest expires.",
  },
  "connected-apps": {
    setting: "USER_MAX_CONNECTED_APPS",
    what: "connected apps of one user in all workspaces",
    remedy: "Disconnect an app that is not used.",
  },
  "oauth-clients": {
    setting: "OAUTH_MAX_CLIENTS",
    what: "registered apps that no user has connected yet",
    remedy: "Retry in an hour, or use a client ID metadata document.",
  },
  "chat-connections": {
    setting: "WORKSPACE_MAX_CHAT_CONNECTIONS",
    what: "chats connected to one workspace",
    remedy: "Disconnect a chat.",
  },
  imports: {
    setting: "WORKSPACE_MAX_IMPORTS",
    what: "imports of one workspace",
    remedy: "Delete an import that is not used.",
  },
  webhooks: {
    setting: "WORKSPACE_MAX_WEBHOOKS",
    what: "webhooks of one workspace",
    remedy: "Delete a webhook that is not used.",
  },
  alerts: {
    setting: "WORKSPACE_MAX_ALERTS",
    what: "alerts of one workspace",
    remedy: "Delete an alert that is not used.",
  },
  "queued-batch-runs": {
    setting: "WORKSPACE_MAX_QUEUED_RUNS",
    what: "queued runs of batches in one workspace",
    remedy: "Retry when some have finished.",
    code: "rate_limited",
    retryAfterSeconds: 5,
  },
  files: {
    setting: "WORKSPACE_MAX_FILES",
    what: "files of one workspace",
    remedy: "Wait until older files expire.",
  },
  "file-bytes": {
    setting: "WORKSPACE_MAX_FILE_BYTES",
    what: "bytes of files of one workspace",
    remedy: "Wait until older files expire.",
  },
} as const satisfies Record<string, Cap>;

type CapName = keyof typeof caps;

type Needs = { config: Config; db: Database };

type Counted = {
  /** Who the cap is for. Creations for one subject happen one after another. */
  subject: string;
  /** Selects a row for each of what exists already. */
  existing: RawBuilder<unknown>;
};

/**
 * Steps that go first in the transaction that creates something: they undo it with the cap's error when
 * as many exist already. The lock makes concurrent creations wait, so each sees what the others committed.
 */
export function capSteps(
  { config, db }: Needs,
  name: CapName,
  { subject, existing }: Counted,
): TransactionStep[] {
  const max = config[caps[name].setting];
  // Counting stops at the cap, so that a cap that was lowered costs no more.
  const count = sql`select count(*) from (${existing} limit ${sql.lit(max)}) as existing`;
  return guard(db, { name, max, subject, condition: sql`(${count}) < ${sql.lit(max)}` });
}

/**
 * As {@link capSteps}, for a cap on a sum. `used` selects the sum, to which `added` is added. Without a subject,
 * an earlier step of the transaction must make concurrent creations wait.
 */
export function sumCapSteps(
  { config, db }: Needs,
  name: CapName,
  {
    subject,
    used,
    added,
  }: { subject: string | undefined; used: RawBuilder<unknown>; added: number },
): TransactionStep[] {
  const max = config[caps[name].setting];
  const condition = sql`(${used}) + ${sql.lit(added)} <= ${sql.lit(max)}`;
  return guard(db, { name, max, subject, condition });
}

type Guard = {
  name: CapName;
  max: number;
  subject: string | undefined;
  condition: RawBuilder<unknown>;
};

function guard(db: Database, { name, max, subject, condition }: Guard): TransactionStep[] {
  if (max === 0) return [];
  const check: TransactionStep = {
    query: sql`select 1 where ${condition}`.compile(db.kysely),
    mustChange: true,
    refusal: () => capReached(name, max),
  };
  // SQLite has one writer, so its transactions are one after another without a lock.
  if (db.dialect === "sqlite" || subject === undefined) return [check];
  const key = `${name}:${subject}`;
  const lock = sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.compile(db.kysely);
  // The check is a separate statement: only then does it see rows that were committed while it waited for the lock.
  return [lock, check];
}

/** The error of a cap that is reached, for one that is checked outside the transaction that creates something. */
export function capReached(name: CapName, max: number): ServiceError {
  const { what, remedy, code = "quota_exceeded", retryAfterSeconds = 3_600 }: Cap = caps[name];
  return new ServiceError(code, `The limit on ${what} (${max}) is reached. ${remedy}`, {
    ...(errorCodes[code].status === 429 ? { retryAfterSeconds } : {}),
    extra: { limit: { name, max } },
  });
}
