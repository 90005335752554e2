import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { selectTests } from "./scripts/test-selection.ts";

// Worker processes share the compiled code of libraries through this cache.
process.env["NODE_COMPILE_CACHE"] ??= `${import.meta.dirname}/node_modules/.cache/vitest-compile`;

const postgresUrl = process.env["TEST_DATABASE_URL"] || undefined;
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

/** `npm run test:all` sets it. A file that is named on the command line runs in any case. */
const isFull =
  process.env["TEST_ALL"] === "1" || process.argv.some((word) => word.endsWith(".test.ts"));
const selection = selectTests({ hasPostgres: postgresUrl !== undefined, isFull });

/**
 * Options of every project. Test files share processes, because importing the service for each file would take a third of the
 * time. Polls wait long, because a busy machine is slow.
 */
const shared = { isolate: false, expect: { poll: { timeout: 20_000 } } };

type ProjectOptions = {
  globalSetup?: string[];
  testTimeout: number;
  hookTimeout: number;
  maxWorkers?: number;
  sequence?: { groupOrder: number };
};

/** Two projects, which run the tests on SQLite and PostgreSQL. */
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
    // Tests spend almost half of their time waiting, so more workers than the two cores of a small machine are faster.
    maxWorkers: 4,
    fsModuleCache: true,
    // Tests start real processes, which can time out on a busy machine, so CI retries them once.
    retry: process.env["CI"] === undefined ? 0 : 1,
    tags: [{ name: "nightly", description: "Long tests that do not run for each change." }],
    tagsFilter: isFull ? [] : ["!nightly"],
    projects: [
      { test: { ...shared, name: "scripts", include: ["{scripts,packaging}/**/*.test.ts"] } },
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
          name: "sdk",
          include: ["sdk/src/**/*.test.ts"],
          env: { TEST_DIALECT: "sqlite" },
          globalSetup: ["e2e/src/make-template.ts"],
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
      { test: { ...shared, name: "cli", include: ["cli/src/**/*.test.ts"], testTimeout: 30_000 } },
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
