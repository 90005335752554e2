import { expect, test } from "vitest";
import { LIMITS, messages, run, testSandbox, type RunOptions } from "./test-sandbox.ts";
import type { ExecuteResult, Sandbox } from "./types.ts";

type Kind = "echo" | "fresh" | "loop" | "bomb" | "fetch" | "cancel" | "throw";

const KINDS: Kind[] = [
  "echo",
  "echo",
  "echo",
  "fresh",
  "fresh",
  "loop",
  "bomb",
  "fetch",
  "cancel",
  "throw",
];
const ECHO = `export default async (input, ctx) => {
  console.log("start " + input.n); setTimeout(() => console.log("stray " + input.n), 5);
  await new Promise((resolve) => setTimeout(resolve, input.n % 7));
  console.log("end " + input.n); return { n: input.n, run: ctx.runId };
}`;
const MODULES: Record<Kind, string> = {
  echo: ECHO,
  fresh: `${ECHO} // fresh`,
  loop: `export default (input) => { console.log("start " + input.n); for (;;); }`,
  bomb: `export default (input) => { console.log("start " + input.n); const a = []; for (;;) a.push(new Uint8Array(8 << 20).fill(1)) }`,
  fetch: `export default (input) => { console.log("start " + input.n); return fetch("https://a.example/") }`,
  cancel: `export default (input) => { console.log("start " + input.n); return new Promise((r) => setTimeout(r, 4000)) }`,
  throw: `export default (input) => { console.log("start " + input.n); throw new Error("n" + input.n) }`,
};
const ENDS: Record<Kind, string> = {
  echo: "completed",
  fresh: "completed",
  loop: "cpu_limit",
  bomb: "memory_limit",
  fetch: "egress_denied",
  cancel: "cancelled",
  throw: "tool_error",
};

async function runOne(sandbox: Sandbox, n: number): Promise<ExecuteResult> {
  const kind = KINDS[(n * 7) % KINDS.length] ?? "echo";
  const controller = new AbortController();
  const options: RunOptions = {
    runId: `run-${n}`,
    workspaceId: `workspace-${n % 3}`,
    inputJson: JSON.stringify({ n }),
    isolation: kind === "fresh" ? "fresh" : "reuse",
    limits: { cpuMs: kind === "loop" ? 200 : LIMITS.cpuMs },
    signal: controller.signal,
    ...(kind === "cancel" ? { onLog: () => controller.abort() } : {}),
  };
  return run(sandbox, MODULES[kind], options);
}

test("separates the output, log and outcome of concurrent runs", async () => {
  const sandbox = await testSandbox({ maxProcesses: 4, maxRunsPerProcess: 15 });
  const numbers = Array.from({ length: 120 }, (_, n) => n);
  const results = await Promise.all(numbers.map((n) => runOne(sandbox, n)));
  for (const [n, result] of results.entries()) {
    const kind = KINDS[(n * 7) % KINDS.length] ?? "echo";
    const end = result.status === "failed" ? result.error.code : result.status;
    expect([n, end]).toEqual([n, ENDS[kind]]);
    expect(messages(result)[0]).toBe(`start ${n}`);
    expect(messages(result).filter((message) => !message.endsWith(` ${n}`))).toEqual([]);
    const answered = result.status === "completed" ? result.output : { n };
    expect(answered).toMatchObject({ n });
  }
  expect(sandbox.stats()).toMatchObject({ leased: 0, waiting: 0 });
  expect(sandbox.stats().processes).toBeLessThanOrEqual(4);
  await sandbox.stop();
});
