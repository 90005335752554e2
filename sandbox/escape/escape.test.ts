import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MEBIBYTE, output, run, testSandbox, until } from "../src/test-sandbox.ts";
import type { IsolationLayer, Sandbox } from "../src/types.ts";
import { hostileTools } from "./support/attempt.ts";
import { expectBlocked } from "./support/expect-blocked.ts";
import { expectBenignToolWorks } from "./support/benign-tool.ts";
import { hostileLookup } from "./support/lookup.ts";
import { isFull } from "./support/per-change.ts";
import { workerds } from "./support/processes.ts";
import { runAttempt } from "./support/run-attempt.ts";
import { startWitness, type Witness } from "./support/witness.ts";

const GROUPS = [
  "addresses",
  "host",
  "limits",
  "logs",
  "machine",
  "network",
  "output",
  "requests",
  "secrets",
  "state",
  "supervisor",
  "wrapper",
];
const tools = hostileTools(GROUPS);

/** `npm run escape -- --isolation …` selects one. By default, the strongest is tested, and each night the weakest too. */
const named = process.env["ESCAPE_ISOLATION"];
const LAYERS: (IsolationLayer | "auto")[] =
  named === "bwrap" || named === "namespaces" || named === "process"
    ? [named]
    : isFull
      ? ["auto", "process"]
      : ["auto"];

describe.each(LAYERS)("the sandbox behind %s", (isolation) => {
  let sandbox: Sandbox;
  let own: Witness;
  let layer: IsolationLayer | undefined;
  const skipped: string[] = [];
  beforeAll(async () => {
    own = await startWitness();
    sandbox = await testSandbox({
      isolation,
      maxProcesses: 8,
      maxMemoryBytes: 256 * MEBIBYTE,
      egress: { ownPort: Number(own.address.split(":")[1]), lookup: hostileLookup() },
    });
    layer = sandbox.status().layer;
  });

  describe.concurrent("hostile tools", () => {
    test.each(tools)(
      "blocks $name, which tries $attempt.tries",
      { timeout: 60_000 },
      async (tool) => {
        if (tool.attempt.needs !== undefined && !isBehind(layer, tool.attempt.needs)) {
          skipped.push(tool.name);
          return;
        }
        const attemptResult = await runAttempt(sandbox, tool, own.address);
        await expect(expectBlocked(attemptResult)).resolves.toBeUndefined();
        await Promise.all([
          expectBenignToolWorks(sandbox, attemptResult.workspace),
          expectBenignToolWorks(sandbox, "another workspace"),
        ]);
      },
    );
  });

  test("skips only tools that need a stronger layer", () => {
    const missing = tools.filter(({ attempt }) => !isBehind(layer, attempt.needs));
    expect(skipped.toSorted()).toEqual(missing.map(({ name }) => name).toSorted());
  });

  test("sends no request to the service itself, and leaves no uncounted process", async () => {
    expect(own.seen).toEqual([]);
    await until(() => workerds().length <= sandbox.stats().processes);
    expect(sandbox.stats().leased).toBe(0);
  });

  test("exposes only the listed globals", async () => {
    const result = await run(sandbox, GLOBALS, { isolation: "fresh" });
    await expect(`${String(output(result))}\n`).toMatchFileSnapshot("globals.txt");
  });

  test("leaves no process behind when it stops", async () => {
    await sandbox.stop();
    expect(workerds()).toEqual([]);
  });

  afterAll(async () => {
    await sandbox.stop();
    own.close();
  });
});

const STRENGTH: Record<IsolationLayer, number> = { process: 0, namespaces: 1, bwrap: 2 };

function isBehind(layer: IsolationLayer | undefined, needed: IsolationLayer | undefined): boolean {
  return layer !== undefined && STRENGTH[layer] >= STRENGTH[needed ?? "process"];
}

/** Returns every global name that a tool can use without an import. */
const GLOBALS = `export default () => {
  const names = new Set();
  for (let from = globalThis; from !== null; from = Object.getPrototypeOf(from)) {
    for (const name of Reflect.ownKeys(from)) names.add(String(name));
  }
  return [...names].sort().join("\\n");
};`;
