import type { UpdateWorkspaceSettingsInput, WorkspaceSettings } from "@toolhost/contract";
import type { Config } from "#config";
import type { Caller, RunViewer } from "#core/kernel";
import { auditInsert, commitWrite, ServiceError, workspaceNotFound } from "#core/kernel";
import type { WorkspacesContext } from "./context.ts";
import { requireMembership } from "./require-membership.ts";
import { deleteStoredSearches } from "./revoke-access.ts";
import { findOwnSettings, findUsage, setOwnSettings } from "./settings-store.ts";
import type { OwnSettings } from "./settings-store.ts";

const dayMs = 86_400_000;

/** Returns the limits, usage and retention of a workspace. Throws `not_found`. */
export async function getSettings(
  context: WorkspacesContext,
  caller: Caller,
  id: string,
): Promise<WorkspaceSettings> {
  await requireMembership(context, caller, id, "members:list");
  const own = await findOwnSettings(context.db, id);
  if (own === undefined) throw workspaceNotFound(id);
  return present(context, { workspaceId: id, userId: caller.userId }, own);
}

/**
 * Changes the retention of runs and logs, the length of outputs for agents, whether updates that need no new permissions are
 * accepted automatically, and whether searches are stored; if not, those that are stored are deleted. Throws `not_found`,
 * `forbidden`, and `invalid_request` for a longer retention than the server's.
 */
export async function changeSettings(
  context: WorkspacesContext,
  caller: Caller,
  id: string,
  {
    retention = {},
    autoAcceptUpdates,
    agentOutputCharacters,
    learnFromSearches,
  }: UpdateWorkspaceSettingsInput,
): Promise<WorkspaceSettings> {
  const member = await requireMembership(context, caller, id, "workspace:configure");
  const { config, db } = context;
  checkShorter("/retention/runsDays", retention.runsDays, config.RUN_RETENTION_DAYS);
  checkShorter("/retention/logsDays", retention.logsDays, config.RUN_LOG_RETENTION_DAYS);
  const before = await findOwnSettings(db, id);
  if (before === undefined) throw workspaceNotFound(id);
  const { runsDays = before.run_retention_days, logsDays = before.log_retention_days } = retention;
  const autoAccept = autoAcceptUpdates ?? before.auto_accept_updates === 1;
  const learns = learnFromSearches ?? before.learn_from_searches === 1;
  const own = {
    run_retention_days: runsDays,
    log_retention_days: logsDays,
    auto_accept_updates: autoAccept ? 1 : 0,
    agent_output_characters:
      agentOutputCharacters === undefined ? before.agent_output_characters : agentOutputCharacters,
    learn_from_searches: learns ? 1 : 0,
  };
  const changed = await present(context, { workspaceId: id, userId: caller.userId }, own);
  const isChanged = await commitWrite(context, caller, changed, [
    { query: setOwnSettings(db, id, own), mustChange: true },
    ...(learns ? [] : [deleteStoredSearches(db, { workspaceId: id })]),
    auditInsert(context, member, {
      action: "workspace.configure",
      target: id,
      details: {
        runsDays,
        logsDays,
        ...(autoAcceptUpdates === undefined ? {} : { autoAcceptUpdates }),
        ...(agentOutputCharacters === undefined ? {} : { agentOutputCharacters }),
        ...(learnFromSearches === undefined ? {} : { learnFromSearches }),
      },
    }),
  ]);
  if (!isChanged) throw workspaceNotFound(id);
  return changed;
}

function checkShorter(path: string, days: number | null | undefined, server: number): void {
  if (days === undefined || days === null || server === 0 || days <= server) return;
  const message = `must be at most ${server} days, the server's limit`;
  throw new ServiceError("invalid_request", `Invalid body: \`${path}\` ${message}.`, {
    errors: [{ path, message }],
  });
}

async function present(
  { config, db, clock }: WorkspacesContext,
  viewer: RunViewer,
  own: OwnSettings,
): Promise<WorkspaceSettings> {
  const now = clock.now();
  const usage = await findUsage(db, viewer, { since: now - (now % dayMs), now });
  const runs = retentionOf(config.RUN_RETENTION_DAYS, own.run_retention_days);
  const logs = retentionOf(config.RUN_LOG_RETENTION_DAYS, own.log_retention_days);
  return {
    limits: limitsOf(config),
    usage,
    retention: {
      runs,
      // Logs are deleted with their run.
      logs: { ...logs, effective: shorter(logs.effective, runs.effective) },
      files: { hours: config.FILE_RETENTION_HOURS },
      audit: { server: orNull(config.AUDIT_RETENTION_DAYS) },
      drafts: { server: orNull(config.DRAFT_RETENTION_DAYS) },
    },
    agentOutputCharacters: {
      server: config.AGENT_OUTPUT_CHARACTERS,
      own: own.agent_output_characters,
      effective: own.agent_output_characters ?? config.AGENT_OUTPUT_CHARACTERS,
    },
    autoAcceptUpdates: own.auto_accept_updates === 1,
    learnFromSearches: own.learn_from_searches === 1,
  };
}

function retentionOf(server: number, own: number | null) {
  return { server: orNull(server), own, effective: shorter(orNull(server), own) };
}

/** Returns the shorter of two retentions. Null means unlimited. */
function shorter(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** In settings, 0 means unlimited. */
function orNull(setting: number): number | null {
  return setting === 0 ? null : setting;
}

function limitsOf(config: Config): WorkspaceSettings["limits"] {
  return {
    concurrentRuns: config.WORKSPACE_MAX_CONCURRENT_RUNS,
    queuedRuns: config.WORKSPACE_MAX_QUEUED_RUNS,
    runMs: config.RUN_MAX_WALL_MS,
    cpuMs: config.RUN_MAX_CPU_MS,
    memoryMb: config.RUN_MAX_MEMORY_MB,
    outputBytes: config.RUN_MAX_OUTPUT_BYTES,
    logBytes: config.RUN_MAX_LOG_BYTES,
    uploadBytes: config.UPLOAD_MAX_BYTES,
    bodyBytes: config.BODY_MAX_BYTES,
    requestsPerMinute: orNull(config.RATE_LIMIT_REQUESTS_PER_MINUTE),
    runsPerMinute: orNull(config.RATE_LIMIT_RUNS_PER_MINUTE),
    userRequestsPerMinute: orNull(config.RATE_LIMIT_USER_REQUESTS_PER_MINUTE),
    userRunsPerMinute: orNull(config.RATE_LIMIT_USER_RUNS_PER_MINUTE),
    workspaceRequestsPerMinute: orNull(config.RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE),
    workspaceRunsPerMinute: orNull(config.RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE),
    userRunsPerDay: orNull(config.QUOTA_USER_RUNS_PER_DAY),
    workspaceRunsPerDay: orNull(config.QUOTA_WORKSPACE_RUNS_PER_DAY),
    userDrafts: orNull(config.USER_MAX_DRAFTS),
  };
}
