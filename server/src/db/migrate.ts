import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import { isDiskFull, OperatorError } from "#lib/operator-error";
import type { Database } from "./database.ts";
import { describeProblem } from "./open-error.ts";
import { up as initial } from "./migrations/0001-initial.ts";
import { up as idempotencyAndQueue } from "./migrations/0002-idempotency-and-queue.ts";
import { up as retentionAndListing } from "./migrations/0003-retention-and-listing.ts";
import { up as quotaUses } from "./migrations/0004-quota-uses.ts";
import { up as runEgress } from "./migrations/0005-run-egress.ts";
import { up as files } from "./migrations/0006-files.ts";
import { up as credentials } from "./migrations/0007-credentials.ts";
import { up as childRuns } from "./migrations/0008-child-runs.ts";
import { up as approvalsAndRotation } from "./migrations/0009-approvals-and-rotation.ts";
import { up as connections } from "./migrations/0010-connections.ts";
import { up as oauth } from "./migrations/0011-oauth.ts";
import { up as relayedMessages } from "./migrations/0012-relayed-messages.ts";
import { up as peopleAndWorkspaces } from "./migrations/0013-people-and-workspaces.ts";
import { up as drafts } from "./migrations/0014-drafts.ts";
import { up as filesOfWorkspace } from "./migrations/0015-files-of-workspace.ts";
import { up as chat } from "./migrations/0016-chat.ts";
import { up as chatStreams } from "./migrations/0017-chat-streams.ts";
import { up as uncountedAttempts } from "./migrations/0018-uncounted-attempts.ts";
import { up as chatProblemKind } from "./migrations/0019-chat-problem-kind.ts";
import { up as consent } from "./migrations/0020-consent.ts";
import { up as pinnedInstalls } from "./migrations/0021-pinned-installs.ts";
import { up as privateRuns } from "./migrations/0022-private-runs.ts";
import { up as limits } from "./migrations/0025-limits.ts";
import { up as oneGrantPerClient } from "./migrations/0026-one-grant-per-client.ts";
import { up as versionSizes } from "./migrations/0027-version-sizes.ts";
import { up as runBytes } from "./migrations/0030-run-bytes.ts";
import { up as draftBytes } from "./migrations/0031-draft-bytes.ts";
import { up as runTraceContext } from "./migrations/0032-run-trace-context.ts";
import { up as agentOutputCharacters } from "./migrations/0033-agent-output-characters.ts";
import { up as toolSearches } from "./migrations/0034-tool-searches.ts";
import { up as toolEmbeddings } from "./migrations/0035-tool-embeddings.ts";
import { up as filesIndex } from "./migrations/0036-files-index.ts";
import { up as runBatches } from "./migrations/0037-run-batches.ts";
import { up as webhooks } from "./migrations/0038-webhooks.ts";
import { up as scopesPerResource } from "./migrations/0039-scopes-per-resource.ts";
import { up as imports } from "./migrations/0040-imports.ts";
import { up as publishedFrom } from "./migrations/0041-published-from.ts";
import { up as toolOrigins } from "./migrations/0042-tool-origins.ts";
import { up as runQuestions } from "./migrations/0043-run-questions.ts";
import { up as importEdits } from "./migrations/0044-import-edits.ts";
import { up as bridges } from "./migrations/0045-bridges.ts";
import { up as runStats } from "./migrations/0046-run-stats.ts";
import { up as alerts } from "./migrations/0047-alerts.ts";
import { up as exampleResults } from "./migrations/0048-example-results.ts";
import { up as toolLists } from "./migrations/0049-tool-lists.ts";
import { up as chatMessageFiles } from "./migrations/0050-chat-message-files.ts";
import { up as chatHome } from "./migrations/0053-chat-home.ts";
import { up as runFeedback } from "./migrations/0054-run-feedback.ts";
import { up as auditSegments } from "./migrations/0055-audit-segments.ts";
import { up as mergedSegments } from "./migrations/0056-merged-segments.ts";

const migrations = {
  "0001-initial": initial,
  "0002-idempotency-and-queue": idempotencyAndQueue,
  "0003-retention-and-listing": retentionAndListing,
  "0004-quota-uses": quotaUses,
  "0005-run-egress": runEgress,
  "0006-files": files,
  "0007-credentials": credentials,
  "0008-child-runs": childRuns,
  "0009-approvals-and-rotation": approvalsAndRotation,
  "0010-connections": connections,
  "0011-oauth": oauth,
  "0012-relayed-messages": relayedMessages,
  "0013-people-and-workspaces": peopleAndWorkspaces,
  "0014-drafts": drafts,
  "0015-files-of-workspace": filesOfWorkspace,
  "0016-chat": chat,
  "0017-chat-streams": chatStreams,
  "0018-uncounted-attempts": uncountedAttempts,
  "0019-chat-problem-kind": chatProblemKind,
  "0020-consent": consent,
  "0021-pinned-installs": pinnedInstalls,
  "0022-private-runs": privateRuns,
  "0025-limits": limits,
  "0026-one-grant-per-client": oneGrantPerClient,
  "0027-version-sizes": versionSizes,
  "0030-run-bytes": runBytes,
  "0031-draft-bytes": draftBytes,
  "0032-run-trace-context": runTraceContext,
  "0033-agent-output-characters": agentOutputCharacters,
  "0034-tool-searches": toolSearches,
  "0035-tool-embeddings": toolEmbeddings,
  "0036-files-index": filesIndex,
  "0037-run-batches": runBatches,
  "0038-webhooks": webhooks,
  "0039-scopes-per-resource": scopesPerResource,
  "0040-imports": imports,
  "0041-published-from": publishedFrom,
  "0042-tool-origins": toolOrigins,
  "0043-run-questions": runQuestions,
  "0044-import-edits": importEdits,
  "0045-bridges": bridges,
  "0046-run-stats": runStats,
  "0047-alerts": alerts,
  "0048-example-results": exampleResults,
  "0049-tool-lists": toolLists,
  "0050-chat-message-files": chatMessageFiles,
  "0053-chat-home": chatHome,
  "0054-run-feedback": runFeedback,
  "0055-audit-segments": auditSegments,
  "0056-merged-segments": mergedSegments,
};

/** Applied migrations that this version does not have, because a newer one applied them. */
export async function findUnknownMigrations({ kysely }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely);
  return rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
}

/** Applies all pending migrations, or none if the process ends before that. Throws `OperatorError`. */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({
    db: database.kysely,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, up]) => [
            name,
            { up: (db) => up(db, database.dialect) },
          ]),
        ),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const newer = await findUnknownMigrations(database).catch(() => []);
  if (newer.length > 0) {
    throw new OperatorError(
      `This database was created by a newer version of Toolhost, with the migrations ${newer.join(", ")}. Start that version, or restore a backup from before the upgrade.`,
      { cause: error },
    );
  }
  // An error without a code is a bug of a migration, whose stack is needed.
  if (!(error instanceof Error && "code" in error) || isDiskFull(error)) throw error;
  throw new OperatorError(`The database could not be migrated: ${describeProblem(error)}`, {
    cause: error,
  });
}
