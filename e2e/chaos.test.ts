import process from "node:process";
import { expect, test } from "vitest";
import { runChaos } from "./chaos/chaos.ts";
import { renderReport } from "./chaos/report.ts";
import { dialect } from "./src/database.ts";
import { hasPostgres } from "./src/postgres-server.ts";
import { proves } from "./src/proves.ts";

// `npm run chaos` is the long form.
test.skipIf(dialect !== "postgres" || !hasPostgres)(
  "loses no run and repeats none while nodes, database and connections fail",
  {
    ...proves("run.terminal", "run.never_twice", "idempotency.crash", "start.nodes"),
    timeout: 300_000,
  },
  async () => {
    const seconds = process.env["TEST_ALL"] === "1" ? 20 : 10;
    const options = { seconds, clients: 8, nodes: 3, seed: Date.now() % 1e6 };
    const report = await runChaos(options, () => undefined);
    expect(report.violations.size, renderReport(report)).toBe(0);
    expect(report.ordersMs.length).toBeGreaterThan(0);
  },
);
