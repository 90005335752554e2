import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Several processes run the files, and each would translate the same libraries again.
process.env["NODE_COMPILE_CACHE"] ??= `${import.meta.dirname}/node_modules/.cache/vitest-compile`;

const postgresUrl = process.env["TEST_DATABASE_URL"];
if (postgresUrl === undefined) {
  process.stderr.write(
    "TEST_DATABASE_URL is not set: skipped on PostgreSQL: server and e2e tests. They run on SQLite.\n",
  );
}
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
if (!existsSync(chromium)) {
  process.stderr.write(
    `${chromium} is not there: tests in a browser are skipped. CHROMIUM names another one.\n`,
  );
}

/**
 * What is about clients, pages, code and its reach. Whatever of it comes to statements has tests beside them, which run on
 * each database.
 */
const aboutNoDatabase = [
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

/** What several nodes do in other ways than one does, and more of it; run on PostgreSQL where there is one. */
const aboutNodes = ["limits", "oauth"].map((name) => `e2e/${name}.test.ts`);

/** Tests beside the code that open no database: nothing that they import could. */
const withoutDatabase = globSync("server/src/**/*.test.ts", { cwd: import.meta.dirname }).filter(
  (file) => {
    const code = readFileSync(join(import.meta.dirname, file), "utf8");
    return !/#testing\/|#db|\/db\/|TEST_|database|migrat|sqlite/i.test(file + code);
  },
);

/**
 * For every project. Files of a project share processes, and with them what they import: to read the service anew for each
 * would be a third of the work. A busy machine makes things late, not wrong, so what is waited for has its time.
 */
const shared = { isolate: false, expect: { poll: { timeout: 20_000 } } };

/** What uses a database runs once on each. */
const onDatabase = (name: string, include: string[], options: { globalSetup?: string[] }) => {
  const { globalSetup = [] } = options;
  const rest = { ...shared, ...options, globalSetup: [...globalSetup, "e2e/src/make-template.ts"] };
  return [
    {
      test: {
        name: `${name} (sqlite)`,
        include,
        exclude: postgresUrl === undefined ? [] : aboutNodes,
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
              exclude: [...aboutNoDatabase, ...withoutDatabase],
              env: { TEST_DIALECT: "postgres", TEST_DATABASE_URL: postgresUrl },
              ...rest,
            },
          },
        ]),
  ];
};

export default defineConfig({
  test: {
    // Two cores are what a small machine has, and hardly more than half the time do two files keep both at work:
    // the rest they wait for processes, clocks and grace times.
    maxWorkers: 4,
    // Real processes on a machine that may be busy: CI gives each test a second try, a developer none.
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
          // The compiler checks the types that are generated, which takes seconds.
          testTimeout: 60_000,
        },
      },
      // In a real browser, which takes its time to start.
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
          // The editor's compiler is large, and Node reads it as it is.
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
