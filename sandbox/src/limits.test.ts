import { afterAll, beforeAll, expect, test } from "vitest";
import { failure, MEBIBYTE, output, run, testSandbox, until } from "./test-sandbox.ts";
import type { Sandbox } from "./types.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await testSandbox({ maxProcesses: 8, idleProcesses: 2 });
});
afterAll(() => sandbox.stop());

const BOMBS: [name: string, code: string, module: string][] = [
  [
    "a heap bomb",
    "memory_limit",
    `export default () => { const a = []; for (;;) a.push(new Array(1e5).fill(Math.random())) }`,
  ],
  [
    "an ArrayBuffer bomb",
    "memory_limit",
    `export default () => { const a = []; for (;;) a.push(new Uint8Array(8 << 20).fill(1)) }`,
  ],
  [
    "one buffer far too large",
    "memory_limit",
    `export default () => new Uint8Array(1.9e9).fill(1).length`,
  ],
  [
    "a WebAssembly memory bomb",
    "memory_limit",
    `export default () => { const a = []; for (;;) { const m = new WebAssembly.Memory({ initial: 512 }); new Uint8Array(m.buffer).fill(1); a.push(m) } }`,
  ],
  [
    "one WebAssembly memory far too large",
    "memory_limit",
    `export default () => { const m = new WebAssembly.Memory({ initial: 32768 }); return new Uint8Array(m.buffer).fill(1).length }`,
  ],
  [
    "a string bomb",
    "memory_limit",
    `export default () => { const a = []; for (let i = 0; ; i++) a.push(("x" + i).repeat(1e5).split("").join(i)) }`,
  ],
  [
    "a sort bomb",
    "memory_limit",
    `export default () => new Array(3e7).fill(0).map((_, i) => -i).sort().length`,
  ],
  [
    "a heap bomb at the top of a module",
    "memory_limit",
    `const a = []; for (;;) a.push(new Array(1e5).fill(Math.random())); export default () => 1`,
  ],
  ["an endless loop", "cpu_limit", `export default () => { for (;;); }`],
  ["an endless loop at the top of a module", "cpu_limit", `for (;;); export default () => 1`],
  [
    "an endless chain of microtasks",
    "cpu_limit",
    `export default async () => { for (;;) await null }`,
  ],
  [
    "a catastrophic expression",
    "cpu_limit",
    `export default () => /^(a+)+$/.test("a".repeat(40) + "b")`,
  ],
  [
    "an output that never ends being made",
    "cpu_limit",
    `export default () => ({ toJSON() { for (;;); } })`,
  ],
  [
    "a timer beyond the limit",
    "timeout",
    `export default () => new Promise((resolve) => setTimeout(resolve, 60000))`,
  ],
];

const SIBLING = `export default async () => {
  for (let i = 0; i < 20; i++) { console.log(i); await new Promise((resolve) => setTimeout(resolve, 50)) }
  return "unharmed";
}`;

test.each(BOMBS)("ends %s as %s without affecting concurrent runs", async (_name, code, module) => {
  const wallMs = code === "timeout" ? 1_500 : 20_000;
  const limits = { cpuMs: 400, wallMs, memoryBytes: 64 * MEBIBYTE };
  const siblings = [
    run(sandbox, SIBLING, { workspaceId: "workspace" }),
    run(sandbox, SIBLING, { workspaceId: "another" }),
  ];
  const result = await run(sandbox, module, { limits });
  expect(failure(result).code).toBe(code);
  expect(result.cpuMs).toBeGreaterThanOrEqual(code === "cpu_limit" ? 400 : 0);
  expect(result.cpuMs).toBeLessThan(1_200);
  expect(result.durationMs).toBeLessThan(wallMs + 1_000);
  for (const sibling of await Promise.all(siblings)) {
    expect(output(sibling)).toBe("unharmed");
    expect(sibling.logs.length).toBe(20);
  }
});

test("allows usage below the limits", async () => {
  const module = `export default () => { const a = []; for (let i = 0; i < 5; i++) a.push(new Uint8Array(8 << 20).fill(1)); return a.length }`;
  expect(output(await run(sandbox, module, { limits: { memoryBytes: 96 * MEBIBYTE } }))).toBe(5);
});

test("lets a tool continue that catches a failed allocation", async () => {
  const module = `export default () => { try { new Uint8Array(1.9e9).fill(1) } catch (error) { return error.name } }`;
  expect(output(await run(sandbox, module))).toBe("RangeError");
});

test("accepts the next run after each kill", async () => {
  for (let i = 0; i < 3; i++) {
    await run(sandbox, `export default () => { for (;;); }`, { limits: { cpuMs: 50 } });
    expect(output(await run(sandbox, `export default () => ${i}`))).toBe(i);
  }
});

test("does not charge a run for the usage of earlier ones", async () => {
  const module = `export default () => { let n = 0; while (n < 2.5e8) n++; return n }`;
  const used: number[] = [];
  for (let i = 0; i < 10; i++) {
    const result = await run(sandbox, module, { limits: { cpuMs: 500 } });
    expect(result.status).toBe("completed");
    used.push(result.cpuMs);
  }
  expect(used.reduce((sum, cpuMs) => sum + cpuMs)).toBeGreaterThan(500);
});

test("withstands a flood of raw output", async () => {
  const before = process.memoryUsage().rss;
  const module = `export default async () => {
    const line = "x".repeat(1e5);
    for (;;) { for (let i = 0; i < 50; i++) process.stdout.write(line); await new Promise((r) => setTimeout(r, 0)) }
  }`;
  const limits = { cpuMs: 1_000, wallMs: 1_500, memoryBytes: 128 * MEBIBYTE };
  const result = await run(sandbox, module, { limits });
  expect(["cpu_limit", "timeout", "memory_limit"]).toContain(failure(result).code);
  expect(result.logsTruncated).toBe(true);
  await until(() => process.memoryUsage().rss - before < 150 * MEBIBYTE);
});
