import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { MEBIBYTE, output, run, testSandbox } from "./test-sandbox.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test.each(["reuse", "fresh"] as const)("leaks no memory of ended runs: %s", async (isolation) => {
  // One process for all runs: memory that it retains lives as long as it does.
  const sandbox = await testSandbox({ maxProcesses: 1, idleProcesses: 0 });
  const module = "export default ({ text }) => text.length";
  const runs = isolation === "reuse" ? 300 : 100;
  const runOne = async (index: number) => {
    // A separate string for each run, so that none is shared.
    const inputJson = JSON.stringify({ text: `${index}`.repeat(50_000) });
    output(await run(sandbox, module, { inputJson, isolation }));
  };
  await runOne(0);
  const before = heapBytes();
  let sent = 0;
  for (let index = 1; index <= runs; index++) {
    await runOne(index);
    sent += 50_000 * `${index}`.length;
  }
  const kept = heapBytes() - before;
  expect(sent).toBeGreaterThan(8 * MEBIBYTE);
  expect(kept).toBeLessThan(sent / 3);
  await sandbox.stop();
});
