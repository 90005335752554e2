import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { selectTests } from "./scripts/test-selection.ts";

// Several processes run the files, and each would translate the same libraries again.
process.env["NODE_COMPILE_CACHE"] ??= `${import.meta.dirname}/node_modules/.cache/vitest-compile`;

const postgresUrl = process.env["TEST_DATABASE_URL"] || undefined;
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

/** `npm run test:all` sets it. A file that the command line names runs in any case. */
const isFull =
  process.env["TEST_ALL"] === "1" || process.argv.some((word) => /\.test\.ts$/.test(word));
const selection = selectTests({ hasPostgres: postgresUrl !== undefined, isFull });

/**
 * For every project. Files of a project share processes, and with them what they import: to read the service anew for each
 * would be a third of the work. A busy machine makes things late, not wrong, so what is waited for has its time.
 */
const shared = { isolate: false, expect: { poll: { timeout: 20_000 } } };

type ProjectOptions = {
  globalSetup?: string[];
  testTimeout: number;
  hookTimeout: number;
  maxWorkers?: number;
  sequence?: { groupOrder: number };
};

/** What uses a database runs once on each. */
const onDatabase = (name: string, include: string[], options: ProjectOptions) => {
  const { globalSetup = [] } = options;
  const rest = { ...shared, ...options, globalSetup: [...globalSetup, "e2e/src/make-template.ts"] };
  return [
    {
      test: {
        name: `${name} (sqlite)`,
        include,
        exclude: selection.sqlite.exclude,
        env: { TEST_DIALECT: "sqlite" },
        ...rest,
      },
    },
    ...(postgresUrl === undefined || selection.postgres === undefined
      ? []
      : [
          {
            test: {
              name: `${name} (postgres)`,
              include,
              exclude: selection.postgres.exclude,
              env: { TEST_DIALECT: "postgres", TEST_DATABASE_URL: postgresUrl },
              ...rest,
            },
          },
        ]),
  ];
};

export default defineConfig({
  test: {
    // For two cores, since files also wait.
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
      ...onDatabase("e2e", ["e2e/**/*.test.ts"], {
        testTimeout: 180_000,
        hookTimeout: 180_000,
        // Most of the time these files wait for processes, clocks and grace periods.
        maxWorkers: 6,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
