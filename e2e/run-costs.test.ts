import { beforeAll, describe, expect, it } from "vitest";
import { summarizeStatement } from "../server/src/telemetry/statements.ts";
import { measureCosts, withObserved } from "./bench/run-costs.ts";
import type { RunCosts } from "./bench/run-costs.ts";
import { dialect } from "./src/database.ts";
import { hasPostgres } from "./src/postgres-server.ts";

/** What each run executes. Reads come first, then the writes in alphabetical order. */
const statements = {
  sqlite: [
    "select idempotency_records",
    "BEGIN",
    "COMMIT",
    "insert idempotency_records",
    "insert run_bytes",
    "insert runs",
    "insert unsealed_run_events",
    "insert webhook_deliveries",
  ],
  postgres: [
    "select idempotency_records tool_installs tools",
    "select members api_keys",
    "insert idempotency_records insert runs insert unsealed_run_events update run_bytes insert run_bytes insert webhook_deliveries",
  ],
} as const;

/**
 * Upper limits, a tenth above what was measured. A change that needs more must say why; one that needs less lowers them. More may
 * be stored, since runs of more than 100 ms, which a busy machine has, are written twice.
 */
const most = {
  sqlite: { systemWrites: 31, allocatedBytes: 190_000, logBytes: 55_000, storedBytes: 1_900 },
  postgres: { systemWrites: 7, allocatedBytes: 250_000, logBytes: 2_720, storedBytes: 2_200 },
} as const;

describe.skipIf(dialect === "postgres" && !hasPostgres)("a run", () => {
  let costs: RunCosts;
  beforeAll(async () => {
    costs = await withObserved(dialect, measureCosts);
    // 1,200 runs take long on a machine that runs other tests.
  }, 400_000);

  it("executes these statements and no others", () => {
    const executed = costs.statements.flatMap(({ text, perRun }) =>
      Array.from({ length: Math.round(perRun) }, () => summarizeStatement(text)),
    );
    const isRead = (summary: string) => summary.startsWith("select");
    const reads = executed.filter(isRead).toSorted();
    const writes = executed.filter((summary) => !isRead(summary)).toSorted();
    expect([...reads, ...writes]).toEqual(statements[dialect]);
  });

  it("waits for one sync of the embedded database", () => {
    expect(costs.syncs).toBe(dialect === "sqlite" ? 1 : 0);
  });

  it("sends one message to the sandbox", () => {
    expect(costs.sandboxWrites).toBe(1);
  });

  it("makes no more write calls to the kernel than before", () => {
    expect(costs.systemWrites).toBeLessThanOrEqual(most[dialect].systemWrites);
  });

  it("allocates no more memory than before", () => {
    expect(costs.allocatedBytes).toBeLessThanOrEqual(most[dialect].allocatedBytes);
  });

  it("writes no more bytes to the database than before", () => {
    expect(costs.logBytes).toBeLessThanOrEqual(most[dialect].logBytes);
    expect(costs.storedBytes).toBeLessThanOrEqual(most[dialect].storedBytes);
  });
});
