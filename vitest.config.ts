import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Worker processes share the compiled code of libraries through this cache.
process.env["NODE_COMPILE_CACHE"] ??= `${import.meta.dirname}/node_modules/.cache/vitest-compile`;

const postgresUrl = process.env["TEST_DATABASE_URL"];
if (postgresUrl === undefined) {
  process.stderr.write(
    "TEST_DATABASE_URL is not set, so server and e2e tests run on SQLite only.\n",
  );
}
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
if (!existsSync(chromium)) {
  process.stderr.write(
    `${chromium} does not exist, so browser tests are skipped. Set CHROMIUM to the path of a browser.\n`,
  );
}

/**
 * Tests of clients, pages and tool code, which do not depend on the database. The statements that they cause have tests beside
 * the code, which run on both databases.
 */
const databaseIndependent = [
  ...[
    "access",
    "approvals",
    "chat-answers",
    "chat-emulate",
    "composition",
    "connections",
    "console*",
    "credentials",
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
    "people",
    "runs",
    "siblings",
    "tools",
    "widget",
  ].map((name) => `e2e/${name}.test.ts`),
  "server/src/bot/discord/discord.test.ts",
  "server/src/bot/discord/gateway/mentions.test.ts",
  "server/src/core/chat/answers/agent.test.ts",
  "server/src/oauth/account-pages.test.ts",
];

/** Tests that cover several nodes, and run only on PostgreSQL if it is available. */
const multiNode = ["limits", "oauth"].map((name) => `e2e/${name}.test.ts`);

/** Unit tests that open no database, which run once. */
const withoutDatabase = globSync("server/src/**/*.test.ts", { cwd: import.meta.dirname }).filter(
  (file) => {
    const code = readFileSync(join(import.meta.dirname, file), "utf8");
    return !/#testing\/|#db|\/db\/|TEST_|database|migrat|sqlite/i.test(file + code);
  },
);

/**
 * Options of every project. Test files share processes, because importing the service for each file would take a third of the
 * time. Polls wait long, because a busy machine is slow.
 */
const shared = { isolate: false, expect: { poll: { timeout: 20_000 } } };

/** Two projects, which run the tests on SQLite and PostgreSQL. */
const onDatabase = (name: string, include: string[], options: { globalSetup?: string[] }) => {
  const { globalSetup = [] } = options;
  const rest = { ...shared, ...options, globalSetup: [...globalSetup, "e2e/src/make-template.ts"] };
  return [
    {
      test: {
        name: `${name} (sqlite)`,
        include,
        exclude: postgresUrl === undefined ? [] : multiNode,
        env: { TEST_DIALECT: "sqlite" },
        ...rest,
      },
    },
    ...(postgresUrl === undefined
      ? []
      : [
          {
            test: {
              name: `${name} (postgres)`,
              include,
              exclude: [...databaseIndependent, ...withoutDatabase],
              env: { TEST_DIALECT: "postgres", TEST_DATABASE_URL: postgresUrl },
              ...rest,
            },
          },
        ]),
  ];
};

export default defineConfig({
  test: {
    // Tests spend almost half of their time waiting, so more workers than the two cores of a small machine are faster.
    maxWorkers: 4,
    // Tests start real processes, which can time out on a busy machine, so CI retries them once.
    retry: process.env["CI"] === undefined ? 0 : 1,
    projects: [
      { test: { ...shared, name: "scripts", include: ["scripts/**/*.test.ts"] } },
      { test: { ...shared, name: "contract", include: ["contract/src/**/*.test.ts"] } },
      {
        test: {
          ...shared,
          name: "sandbox",
          include: ["sandbox/{src,escape}/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: "tool-schema",
          include: ["tool-schema/src/**/*.test.ts"],
          // Compiling the generated types takes seconds.
          testTimeout: 60_000,
        },
      },
      // These tests start a browser, which takes seconds.
      {
        test: {
          ...shared,
          name: "ui",
          include: ["ui/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: "console",
          include: ["console/src/**/*.test.ts"],
          // Node.js loads the editor's TypeScript compiler directly, because it is too large to transform.
          server: { deps: { external: [/monaco-editor/] } },
        },
      },
      { test: { ...shared, name: "starter-tools", include: ["starter-tools/*.test.ts"] } },
      ...onDatabase("server", ["server/src/**/*.test.ts"], {
        testTimeout: 60_000,
        hookTimeout: 60_000,
      }),
      ...onDatabase("e2e", ["e2e/**/*.test.ts"], { testTimeout: 180_000, hookTimeout: 180_000 }),
    ],
  },
});
