import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

const e2e = (...names: string[]) => names.map((name) => `e2e/${name}.test.ts`);
const server = (...names: string[]) => names.map((name) => `server/src/${name}.test.ts`);

/**
 * Tests of clients, pages and tool code, which do not depend on the database. The statements that they cause have tests beside
 * the code, which run on both databases.
 */
const databaseIndependent = [
  ...e2e(
    "access",
    "agent-tokens",
    "approvals",
    "benchmarks",
    "chat-answers",
    "chat-emulate",
    "client-compatibility",
    "client-package",
    "composition",
    "console*",
    "container",
    "credentials",
    "dev",
    "documents",
    "egress",
    "escape",
    "files",
    "first-start",
    "hostile-input",
    "mcp",
    "mcp-broker",
    "mcp-clients",
    "mcp-conformance",
    "oauth-mcp-clients",
    "package",
    "people",
    "requirements",
    "runs",
    "sdk",
    "siblings",
    "tools",
    "widget",
  ),
  ...server(
    "bot/discord/discord",
    "bot/discord/gateway/mentions",
    "core/chat/answers/agent",
    "oauth/account-pages",
  ),
];

/** Unit tests that open no database, which run once. */
const withoutDatabase = globSync("server/src/**/*.test.ts", { cwd: root }).filter((file) => {
  const code = readFileSync(join(root, file), "utf8");
  return !/#testing\/|#db|\/db\/|TEST_|database|migrate|migration|sqlite/i.test(file + code);
});

/** Tests of shared counters and keys, which run per change only on PostgreSQL if it is available. */
const preferPostgres = e2e("idempotency", "limits");

/** What each change runs on PostgreSQL: stores and their statements, several nodes, outages, and a path through REST. */
const perChangeOnPostgres = [
  ...e2e("audit", "chaos", "idempotency", "limits", "mcp-nodes", "nodes", "outages", "run-costs"),
  ...server(
    "**/*-store",
    "bot/discord/gateway/nodes",
    "bot/slack/slack-socket",
    "core/alerts/*",
    "core/kernel/**/*",
    "core/limits/limits",
    "core/runs/recovery/*",
    "core/runs/storage/*",
    "core/vault/encryption/*",
    "core/webhooks/*",
    "core/workspaces/retention/*",
    "db/**/*",
    "rest/idempotency",
    "rest/run-stats",
    "rest/runs",
    "rest/tool-activity",
    "rest/tools",
    "runbook",
  ),
];

/** Files that only the nightly run includes, on each database. Tests with the tag `nightly` in other files follow the same rule. */
export const nightlyOnly = e2e(
  "client-compatibility",
  "console-build",
  "console-credentials",
  "console-settings",
  "console-workspaces",
  "container",
  "dev",
  "frozen-node",
  "hostile-load",
  "migrate-to-postgres",
  "oauth-mcp-clients",
  "open-files",
  "package",
  "rolling-restart",
);

type Options = {
  /** Whether a PostgreSQL server is available. */
  hasPostgres: boolean;
  /** Whether everything runs, as each night, and not only what each change runs. */
  isFull: boolean;
};

type Selection = {
  /** Patterns of files that do not run. */
  exclude: string[];
};

/** Which tests of the server and the whole service run on each database; undefined for one that is not available. */
export function selectTests({ hasPostgres, isFull }: Options): {
  sqlite: Selection;
  postgres: Selection | undefined;
} {
  const notOnPostgres = [...databaseIndependent, ...withoutDatabase];
  if (isFull) {
    return {
      sqlite: { exclude: [] },
      postgres: hasPostgres ? { exclude: notOnPostgres } : undefined,
    };
  }
  const selected = new Set(globSync(perChangeOnPostgres, { cwd: root }));
  const others = globSync(["server/src/**/*.test.ts", "e2e/**/*.test.ts"], { cwd: root }).filter(
    (file) => !selected.has(file),
  );
  return {
    sqlite: { exclude: [...nightlyOnly, ...(hasPostgres ? preferPostgres : [])] },
    postgres: hasPostgres ? { exclude: [...notOnPostgres, ...others] } : undefined,
  };
}
