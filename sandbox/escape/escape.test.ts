import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MEBIBYTE, output, run, testSandbox, until } from "../src/test-sandbox.ts";
import type { IsolationLayer, Sandbox } from "../src/types.ts";
import { hostileTools } from "./support/attempt.ts";
import { expectRefusal } from "./support/expect-refusal.ts";
import { expectInnocence } from "./support/innocent.ts";
import { hostileLookup } from "./support/lookup.ts";
import { workerds } from "./support/processes.ts";
import { tryOut } from "./support/try-out.ts";
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

/** `npm run escape -- --isolation …` names one; otherwise the strongest and the weakest are tried. */
const named = process.env["ESCAPE_ISOLATION"];
const LAYERS: (IsolationLayer | "auto")[] =
  named === "bwrap" || named === "namespaces" || named === "process"
    ? [named]
    : ["auto", "process"];

describe.each(LAYERS)("behind the layer %s", (isolation) => {
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

  describe.concurrent("a hostile tool", () => {
    test.each(tools)("gets nowhere: $name", { timeout: 60_000 }, async (tool) => {
      if (tool.attempt.needs !== undefined && !isBehind(layer, tool.attempt.needs)) {
        skipped.push(tool.name);
        return;
      }
      const trial = await tryOut(sandbox, tool, own.address);
      await expect(expectRefusal(trial)).resolves.toBeUndefined();
      await Promise.all([
        expectInnocence(sandbox, trial.workspace),
        expectInnocence(sandbox, "of somebody else"),
      ]);
    });
  });

  test("only what names a layer of the operating system goes without it", () => {
    const missing = tools.filter(({ attempt }) => !isBehind(layer, attempt.needs));
    expect(skipped.toSorted()).toEqual(missing.map(({ name }) => name).toSorted());
  });

  test("the service itself was never asked, and has no more processes than it counts", async () => {
    expect(own.seen).toEqual([]);
    await until(() => workerds().length <= sandbox.stats().processes);
    expect(sandbox.stats().leased).toBe(0);
  });

  test("a tool can name these globals and no others", async () => {
    const result = await run(sandbox, GLOBALS, { isolation: "fresh" });
    await expect(`${String(output(result))}\n`).toMatchFileSnapshot("globals.txt");
  });

  test("no process outlives the sandbox", async () => {
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

/** Every name that a tool can write without an import, and whether it can be replaced. */
const GLOBALS = `export default () => {
  const names = new Set();
  for (let from = globalThis; from !== null; from = Object.getPrototypeOf(from)) {
    for (const name of Reflect.ownKeys(from)) names.add(String(name));
  }
  return [...names].sort().join("\\n");
};`;
