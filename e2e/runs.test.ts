import { randomUUID } from "node:crypto";
import { logLine, run as runRecord, runResult, runSummary } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { expectProblem } from "./src/expect-problem.ts";
import type { Answer } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

const maxOutputBytes = 64 * 1024;
const maxLogBytes = 16 * 1024;
const sleeper = `export default async ({ ms }, ctx) => {
  ctx.progress(0.25, "quarter");
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { slept: ms };
};`;

let server: Server;
let sleeperName: string;

beforeAll(async () => {
  server = await startServer({
    RUN_MAX_CPU_MS: "1500",
    RUN_MAX_MEMORY_MB: "64",
    RUN_MAX_OUTPUT_BYTES: String(maxOutputBytes),
    RUN_MAX_LOG_BYTES: String(maxLogBytes),
    RUN_WAIT_MS: "1000",
  });
  sleeperName = await server.makeTool(sleeper);
});
afterAll(() => server?.stop());

const result = (answer: Answer) => runResult.parse(expectStatus(200, answer).body);
const start = async (tool: string, input: unknown = {}) => {
  const answer = await server.call("POST", `/run/${tool}`, input, { prefer: "respond-async" });
  return result(answer);
};
const read = async (runId: string) =>
  runRecord.parse(expectStatus(200, await server.call("GET", `/runs/${runId}`)).body);
const cancel = (runId: string) => server.call("POST", `/runs/${runId}/cancel`);
const logsOf = async (runId: string) =>
  z.array(logLine).parse(expectStatus(200, await server.call("GET", `/runs/${runId}/logs`)).body);
/** Runs code that fails, checks that the record contains the same error, and returns it. */
const failureOf = async (code: string, rest: object = {}, input: unknown = {}) => {
  const name = await server.makeTool(code, rest);
  const { status, error, output, runId } = result(await server.run(name, input));
  expect(status).toBe("failed");
  expect(output).toBeUndefined();
  expect(await read(runId)).toMatchObject({ status: "failed", error });
  if (error === undefined) throw new Error("A failed run has no error");
  expect(error.message).not.toBe("");
  return error;
};

describe("a run that completes", () => {
  test(
    "returns its output in the same response",
    proves("run.completed", "idempotency.runs_once"),
    async () => {
      const name = await server.makeTool("export default ({ a, b }) => ({ sum: a + b })", {
        outputSchema: { properties: [{ name: "sum", type: "number", description: "" }] },
      });
      const answer = result(await server.call("POST", `/run/${name}`, { a: 2, b: 3 }));
      expect(answer).toMatchObject({ status: "completed", output: { sum: 5 } });
      expect(answer.error).toBeUndefined();
      expect(answer.toolUrl).toContain(name);
      const runs = await server.call("GET", `/runs?toolName=${name}`);
      expect(runs.body).toHaveLength(1);
    },
  );

  test("leaves a run record", proves("run.record"), async () => {
    const input = { ms: 20, note: "ünï 👩‍👩‍👧" };
    const answer = result(await server.run(sleeperName, input));
    const record = await read(answer.runId);
    expect(record).toMatchObject({
      ...answer,
      toolName: sleeperName,
      toolVersion: 1,
      input,
      via: "rest",
      progress: { fraction: 0.25, message: "quarter" },
    });
    const { createdAt, startedAt, finishedAt, durationMs } = record;
    const times = [createdAt, startedAt ?? "", finishedAt ?? ""].map((time) => Date.parse(time));
    expect(times).toEqual([...times].toSorted((one, other) => one - other));
    expect(durationMs).toBeGreaterThan(0);
  });

  test("returns every JSON value unchanged", proves("run.completed", "tool.context"), async () => {
    const echo = await server.makeTool("export default (input) => input");
    const input = {
      text: 'quote " back \\ null \u0000 line \u2028 emoji 👍',
      numbers: [0, -0.5, 1e21, 5e-324, 9007199254740991],
      nested: { a: [{ b: [[], {}] }] },
      none: null,
      yes: true,
      "": "empty key",
      constructor: "c",
    };
    expect(result(await server.run(echo, input)).output).toEqual(input);
  });

  test("receives its context", proves("tool.context"), async () => {
    const name = await server.makeTool(
      `export default (input, ctx) => ({
        runId: ctx.runId,
        isAborted: ctx.signal.aborted,
        isSignal: ctx.signal instanceof AbortSignal,
        progress: typeof ctx.progress,
        credentials: Object.keys(ctx.credentials),
        input,
      })`,
    );
    const answer = result(await server.run(name, { a: 1 }));
    expect(answer.output).toEqual({
      runId: answer.runId,
      isAborted: false,
      isSignal: true,
      progress: "function",
      credentials: [],
      input: { a: 1 },
    });
  });
});

describe("waiting for a run", () => {
  test(
    "returns running after RUN_WAIT_MS, and the output later",
    proves("run.wait_default", "run.running"),
    async () => {
      const answer = result(await server.call("POST", `/run/${sleeperName}`, { ms: 2_500 }));
      expect(answer).toMatchObject({ status: "running" });
      expect(answer.output).toBeUndefined();
      expect(answer.toolUrl).toContain(sleeperName);
      const during = await read(answer.runId);
      expect(during).toMatchObject({ status: "running", finishedAt: null, durationMs: null });
      const after = await server.finished(answer.runId);
      expect(after).toMatchObject({ status: "completed", output: { slept: 2_500 } });
    },
  );

  const preferences = [
    { prefer: "wait=0", applied: "wait=0", status: "running" },
    { prefer: "respond-async", applied: "respond-async", status: "running" },
    { prefer: "Respond-Async, wait=5", applied: "respond-async", status: "running" },
    { prefer: "wait=5", applied: "wait=5", status: "completed" },
    { prefer: 'return=minimal, wait="5"', applied: "wait=5", status: "completed" },
    { prefer: "wait=600", applied: "wait=55", status: "completed" },
    { prefer: "wait=-1", applied: null, status: "completed" },
    { prefer: "wait=soon", applied: null, status: "completed" },
    { prefer: "handling=strict", applied: null, status: "completed" },
  ];

  test.each(preferences)(
    "honors Prefer: $prefer",
    proves("run.prefer"),
    async ({ prefer, applied, status }) => {
      const answer = await server.call("POST", `/run/${sleeperName}`, { ms: 300 }, { prefer });
      expect(answer.headers.get("preference-applied")).toBe(applied);
      expect(result(answer).status).toBe(status);
      await server.finished(answer.body.runId);
    },
  );

  test("returns the progress in the record", proves("run.record", "tool.context"), async () => {
    const { runId } = await start(sleeperName, { ms: 20_000 });
    const progress = await until("the run reports its progress", 30_000, async () => {
      const record = await read(runId);
      return record.progress ?? undefined;
    });
    expect(progress).toEqual({ fraction: 0.25, message: "quarter" });
    await cancel(runId);
  });
});

describe("a run that fails", () => {
  test(
    "names the author's line in the stack of a tool error",
    proves("run.failed", "run_error.tool_error"),
    async () => {
      const code = `// A first line.
type Input = { text: string };

const parse = ({ text }: Input): unknown => {
  if (text === "") throw new TypeError("text is empty");
  return JSON.parse(text);
};

export default async (input: Input) => ({ value: parse(input) });
`;
      const error = await failureOf(code, {}, { text: "" });
      expect(error).toMatchObject({ code: "tool_error", message: "TypeError: text is empty" });
      expect(error.stack).toContain("tool.ts:5:");
      expect(error.stack).toContain("tool.ts:9:");
      expect(error.stack).not.toMatch(/toolhost-wrapper|\/tmp\//);
    },
  );

  const throwers: [string, string, RegExp][] = [
    ["a thrown text", 'export default () => { throw "plain" }', /plain/],
    ["a thrown nothing", "export default () => { throw undefined }", /./],
    ["a thrown object", "export default () => { throw { code: 7 } }", /./],
    ["a rejected promise", "export default () => Promise.reject(new Error('later'))", /later/],
    ["an error while loading", "throw new Error('at load'); export default () => ({})", /at load/],
    ["a default export that is no function", "export default 7", /./],
    [
      "an error with a getter that throws",
      "export default () => { throw new (class extends Error { get message() { throw 1 } })() }",
      /./,
    ],
    [
      "endless recursion",
      "const f = () => f() + 1; export default () => ({ f: f() })",
      /call stack/i,
    ],
    ["a proxy", "export default () => { throw new Proxy({}, { get() { throw 1 } }) }", /./],
  ];

  test.each(throwers)(
    "fails with tool_error: %s",
    proves("run_error.tool_error"),
    async (_, code, message) => {
      const error = await failureOf(code);
      expect(error.code).toBe("tool_error");
      expect(error.message).toMatch(message);
    },
  );

  const outputs: [string, string][] = [
    ["a text", "export default () => 'text'"],
    ["a number", "export default () => 7"],
    ["a list", "export default () => []"],
    ["a circle", "export default () => { const a = {}; a.a = a; return a }"],
    ["a BigInt", "export default () => ({ n: 1n })"],
    ["a function", "export default () => () => 1"],
    ["a toJSON that throws", "export default () => ({ toJSON() { throw new Error('x') } })"],
    ["the wrong type", "export default () => ({ n: 'one' })"],
    ["a missing property", "export default () => ({ m: 1 })"],
    ["a NaN", "export default () => ({ n: NaN })"],
    ["nothing", "export default () => undefined"],
  ];

  test.each(outputs)(
    "fails with invalid_output when returning %s",
    proves("run_error.invalid_output"),
    async (_, code) => {
      const outputSchema = {
        properties: [{ name: "n", type: "number" as const, description: "" }],
      };
      expect((await failureOf(code, { outputSchema })).code).toBe("invalid_output");
    },
  );

  test("fails with timeout when over its wall time", proves("run_error.timeout"), async () => {
    const never = "export default () => new Promise((resolve) => setTimeout(resolve, 60_000))";
    expect((await failureOf(never, { timeoutMs: 300 })).code).toBe("timeout");
  });

  test("enforces a limit that the tool set itself", proves("limits.tool"), async () => {
    const busy = "export default () => { for (;;); }";
    const big = "export default () => ({ big: 'x'.repeat(5_000) })";
    const chatty =
      "export default () => { for (let n = 0; n < 99; n++) console.log('x'.repeat(99)); }";
    const ends = [
      await server.run(await server.makeTool(busy, { limits: { cpuMs: 100 } })),
      await server.run(await server.makeTool(big, { limits: { outputBytes: 2_000 } })),
    ];
    expect(ends.map(({ body }) => body.error.code)).toEqual(["cpu_limit", "output_too_large"]);
    const name = await server.makeTool(chatty, { limits: { logBytes: 1_000 } });
    const { body } = await server.run(name);
    const logs = await server.call("GET", `/runs/${body.runId}/logs`);
    expect(logs.body.length).toBeLessThan(20);
  });

  test("fails with timeout when waiting forever", proves("run_error.timeout"), async () => {
    expect(
      (await failureOf("export default () => new Promise(() => {})", { timeoutMs: 2_000 })).code,
    ).toBe("timeout");
  });

  const shortLimit = { limits: { cpuMs: 300 } };
  const loops: [string, string, object][] = [
    ["in its function", "export default () => { for (;;); }", {}],
    ["while loading", "for (;;); export default () => ({})", shortLimit],
    ["of microtasks", "export default async () => { for (;;) await null; }", shortLimit],
    [
      "in a regular expression",
      "export default () => ({ x: /^(a+)+$/.test('a'.repeat(60) + 'b') })",
      shortLimit,
    ],
  ];

  test.each(loops)(
    "fails with cpu_limit when looping %s",
    proves("run_error.cpu_limit"),
    async (_, code, definition) => {
      expect((await failureOf(code, definition)).code).toBe("cpu_limit");
    },
  );

  const hogs: [string, string][] = [
    [
      "the heap",
      "export default () => { const all = []; for (;;) all.push(new Array(1000).fill({})); }",
    ],
    [
      "text",
      "export default () => { const all = []; for (let n = 0; ; n++) all.push(('x' + n).repeat(100_000).split('').join('y')); }",
    ],
    [
      "ArrayBuffers",
      "export default () => { const all = []; for (;;) all.push(new Uint8Array(8_000_000).fill(1)); }",
    ],
    [
      "one ArrayBuffer",
      "export default () => ({ n: new Uint8Array(1_000_000_000).fill(1).length })",
    ],
    [
      "WebAssembly memory",
      `export default () => {
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
      for (;;) { memory.grow(160); new Uint8Array(memory.buffer).fill(1); }
    }`,
    ],
  ];

  test.each(hogs)(
    "fails with memory_limit when filling %s",
    proves("run_error.memory_limit"),
    async (_, code) => {
      expect((await failureOf(code)).code).toBe("memory_limit");
    },
  );

  test(
    "fails with output_too_large when returning too much",
    proves("run_error.output_too_large"),
    async () => {
      const name = await server.makeTool("export default ({ n }) => ({ text: 'x'.repeat(n) })");
      const frame = JSON.stringify({ text: "" }).length;
      const fits = result(await server.run(name, { n: maxOutputBytes - frame }));
      expect(fits.status).toBe("completed");
      const tooMuch = result(await server.run(name, { n: maxOutputBytes - frame + 1 }));
      expect(tooMuch).toMatchObject({ status: "failed", error: { code: "output_too_large" } });
    },
  );

  const calls: [string, string][] = [
    ["the web", "export default async () => ({ s: (await fetch('https://example.com/')).status })"],
    ["the service", "export default async ({ url }) => ({ s: (await fetch(url)).status })"],
    [
      "this machine",
      "export default async () => ({ s: (await fetch('http://127.0.0.1:22/')).status })",
    ],
    [
      "the cloud's metadata",
      "export default async () => ({ s: (await fetch('http://169.254.169.254/latest/')).status })",
    ],
    [
      "a socket",
      "import net from 'node:net'; export default () => new Promise((resolve, reject) => net.connect(22, '127.0.0.1').once('error', reject).once('connect', () => resolve({})))",
    ],
    [
      "a WebSocket",
      "export default () => new Promise((resolve, reject) => { const s = new WebSocket('wss://example.com/'); s.onerror = (e) => reject(e.error ?? new Error('refused')); s.onopen = () => resolve({}) })",
    ],
  ];

  test.each(calls)(
    "fails to reach %s",
    proves("run_error.egress_denied", "tool.no_host"),
    async (what, code) => {
      const input = { url: `${server.baseUrl}/healthz` };
      const error = await failureOf(code, {}, input);
      // The runtime chooses how it reports a closed socket; the test checks only that it never opens.
      if (what === "a socket" || what === "a WebSocket")
        expect(["egress_denied", "tool_error"]).toContain(error.code);
      else expect(error.code).toBe("egress_denied");
    },
  );
});

describe("a running tool", () => {
  const attempts: [string, string][] = [
    [
      "the password file",
      "const fs = await import('node:fs'); return { got: fs.readFileSync('/etc/passwd', 'utf8') }",
    ],
    ["a folder", "const fs = await import('node:fs'); return { got: fs.readdirSync('/proc') }"],
    [
      "its own memory map",
      "const fs = await import('node:fs'); return { got: fs.readFileSync('/proc/self/maps', 'utf8') }",
    ],
    [
      "a process",
      "const { execSync } = await import('node:child_process'); return { got: String(execSync('id')) }",
    ],
    ["code from text", "return { got: eval('1 + 1') }"],
  ];

  test.each(attempts)("fails to use %s", proves("tool.no_host"), async (_, code) => {
    const name = await server.makeTool(`export default async () => { ${code} }`);
    const { status, output } = result(await server.run(name));
    expect({ status, output }).toEqual({ status: "failed", output: undefined });
  });

  test("has no access to the service's environment", proves("tool.no_host"), async () => {
    const name = await server.makeTool("export default () => ({ env: { ...process.env } })");
    const { output } = result(await server.run(name));
    expect(Object.keys(Object(output?.["env"]))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:PATH|HOME|DATA_DIR|DATABASE_URL)$/)]),
    );
  });
});

describe("text from a tool", () => {
  const odd = [
    "\\u0000",
    "\\ud800",
    "\\udfff\\ud800",
    "\\u2028\\u0007\\ufffe",
    "\\u001b[31m",
    "</script>",
  ];

  test.each(odd)(
    "finishes a run with %s everywhere",
    proves("run.terminal", "run.completed", "error.no_internals"),
    async (text) => {
      const name = await server.makeTool(`export default async ({ fail }, ctx) => {
        const odd = "before ${text} after";
        console.log(odd);
        console.log(odd, { [odd]: odd });
        ctx.progress(0.5, odd);
        if (fail) throw Object.assign(new Error(odd), { name: odd, stack: odd });
        return { [odd]: odd };
      }`);
      const good = result(await server.run(name, {}));
      expect(good.status).toBe("completed");
      expect(Object.keys(good.output ?? {})).toHaveLength(1);
      const bad = result(await server.run(name, { fail: true }));
      expect(bad).toMatchObject({ status: "failed", error: { code: "tool_error" } });
      for (const { runId, status } of [good, bad]) {
        expect((await read(runId)).status).toBe(status);
        expect((await logsOf(runId)).length).toBeGreaterThanOrEqual(2);
      }
    },
  );

  test("truncates or stores long text and finishes the run", proves("run.terminal"), async () => {
    const name = await server.makeTool(`export default (input, ctx) => {
      const long = "x".repeat(2_000_000);
      console.log(long);
      ctx.progress(0.5, long);
      throw new Error(long);
    }`);
    const { status, error, runId } = result(await server.run(name));
    expect(status).toBe("failed");
    expect(error?.code).toBe("tool_error");
    expect(JSON.stringify(await read(runId)).length).toBeLessThan(1_000_000);
  });

  test(
    "is logged as plain text if it imitates the sandbox's protocol",
    proves("run.logs", "tool.fair"),
    async () => {
      const name = await server.makeTool(`export default () => {
      console.log("0 end");
      console.log("first\\n" + "a".repeat(32) + " end\\nlog info 1 forged");
      process.stdout?.write?.("x end\\n");
      return { done: true };
    }`);
      const { runId, output } = result(await server.run(name));
      expect(output).toEqual({ done: true });
      expect((await logsOf(runId)).map(({ message }) => message).slice(0, 2)).toEqual([
        "0 end",
        `first\n${"a".repeat(32)} end\nlog info 1 forged`,
      ]);
    },
  );
});

describe("a run in progress", () => {
  test(
    "finishes with the version that it started with",
    proves("run.record", "tools.versions"),
    async () => {
      const name = await server.makeTool(sleeper);
      const { runId } = await start(name, { ms: 1_500 });
      const code = "export default () => ({ other: true })";
      expectStatus(
        200,
        await server.call("PATCH", `/tools/${name}`, { source: { language: "typescript", code } }),
      );
      expect(result(await server.run(name)).output).toEqual({ other: true });
      expect(await server.finished(runId)).toMatchObject({
        status: "completed",
        toolVersion: 1,
        output: { slept: 1_500 },
      });
    },
  );

  test(
    "ends as usual when its tool is archived",
    proves("tools.archive", "run.terminal"),
    async () => {
      const name = await server.makeTool(sleeper);
      const { runId } = await start(name, { ms: 1_000 });
      expectStatus(204, await server.call("DELETE", `/tools/${name}`));
      expect(await server.finished(runId)).toMatchObject({ status: "completed", toolName: name });
    },
  );

  test("finishes after its client has disconnected", proves("run.terminal"), async () => {
    const name = await server.makeTool(sleeper);
    const abort = new AbortController();
    const waiting = fetch(`${server.baseUrl}/api/v1/run/${name}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${server.apiKey}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
        prefer: "wait=30",
      },
      body: '{"ms":1000}',
      signal: abort.signal,
    });
    const [accepted] = await until("the run is there", 30_000, async () => {
      const { body } = await server.call("GET", `/runs?toolName=${name}`);
      return body.length > 0 && body;
    });
    abort.abort();
    await expect(waiting).rejects.toThrow(expect.anything());
    expect(await server.finished(accepted.runId)).toMatchObject({ status: "completed" });
    expect((await server.call("GET", `/runs?toolName=${name}`)).body).toHaveLength(1);
  });
});

describe("an input", () => {
  test("is rejected with every error and its pointer", proves("error.invalid_input"), async () => {
    const name = await server.makeTool("export default () => ({})", {
      inputSchema: {
        type: "object",
        properties: {
          city: { type: "string", minLength: 2 },
          days: { type: "integer", maximum: 7 },
          places: { type: "array", items: { type: "object", required: ["id"] } },
        },
        required: ["city", "unit"],
        additionalProperties: false,
      },
    });
    const answer = await server.run(name, { city: "", days: 8.5, places: [{}, 1], more: true });
    const { errors = [] } = expectProblem(answer, "invalid_input");
    expect(new Set(errors.map(({ path }) => path))).toEqual(
      new Set(["/city", "/days", "/places/0/id", "/places/1", "/more", "/unit"]),
    );
    expect((await server.call("GET", `/runs?toolName=${name}`)).body).toEqual([]);
  });

  test.each([[[]], ["text"], [7], [null], [true]])(
    "rejects the input %o, which is not an object",
    proves("error.invalid_input"),
    async (input) => {
      const answer = await server.call("POST", `/run/${sleeperName}`, JSON.stringify(input));
      const { errors } = expectProblem(answer, "invalid_input");
      expect(errors?.[0]?.path).toBe("");
    },
  );
});

describe("cancelling", () => {
  test("ends a run as cancelled", proves("run.cancelled"), async () => {
    const { runId } = await start(sleeperName, { ms: 60_000 });
    const cancelled = runRecord.parse(expectStatus(200, await cancel(runId)).body);
    expect(cancelled).toMatchObject({ runId, status: "cancelled" });
    expect(cancelled.finishedAt).not.toBeNull();
    expect(await read(runId)).toEqual(cancelled);
    const events = await server.call("GET", `/audit-events?target=${runId}`);
    expect(events.body.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      "run.cancel",
      "run.create",
    ]);
  });

  test("ends a run that never yields", proves("run.cancelled"), async () => {
    const name = await server.makeTool("export default () => { for (;;); }");
    const { runId } = await start(name);
    expectStatus(200, await cancel(runId));
    expect((await read(runId)).status).toBe("cancelled");
  });

  test("is rejected when the run has ended", proves("error.run_not_cancellable"), async () => {
    const { runId } = result(await server.run(sleeperName, { ms: 0 }));
    expectProblem(await cancel(runId), "run_not_cancellable");
    const other = await start(sleeperName, { ms: 60_000 });
    await cancel(other.runId);
    expectProblem(await cancel(other.runId), "run_not_cancellable");
  });
});

describe("logs", () => {
  test("returns levels, times and messages in order", proves("run.logs"), async () => {
    const name = await server.makeTool(`export default async () => {
      console.log("first", { a: 1 }, [2]);
      console.debug("second");
      console.warn("third\\nline");
      console.error(new Error("fourth").message);
      console.info("%s is %d", "fifth", 5);
      return {};
    }`);
    const before = Date.now() - 5_000;
    const { runId } = result(await server.run(name));
    const lines = await logsOf(runId);
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ["info", "first { a: 1 } [ 2 ]"],
      ["debug", "second"],
      ["warn", "third\nline"],
      ["error", "fourth"],
      ["info", "fifth is 5"],
    ]);
    const times = lines.map(({ at }) => Date.parse(at));
    expect(times).toEqual([...times].toSorted((one, other) => one - other));
    expect(times.every((time) => time > before && time < Date.now() + 5_000)).toBe(true);
  });

  test("stores the logs of a failed run", proves("run.logs"), async () => {
    const name = await server.makeTool(
      'export default () => { console.log("here"); throw new Error("x") }',
    );
    const { runId } = result(await server.run(name));
    expect((await logsOf(runId)).map(({ message }) => message)).toEqual(["here"]);
  });

  test("stores logs up to the limit and continues the run", proves("limits.logs"), async () => {
    const name = await server.makeTool(`export default () => {
      for (let n = 0; n < 5_000; n++) console.log("line " + n + " " + "x".repeat(100));
      return { done: true };
    }`);
    const { runId, output } = result(await server.run(name));
    expect(output).toEqual({ done: true });
    const lines = await logsOf(runId);
    const size = lines.reduce((sum, { message }) => sum + message.length, 0);
    expect(lines[0]?.message).toMatch(/^line 0 x/);
    expect(size).toBeGreaterThan(maxLogBytes / 2);
    expect(size).toBeLessThanOrEqual(maxLogBytes);
  });

  test("returns empty logs for a run without any", proves("run.logs"), async () => {
    const { runId } = result(await server.run(sleeperName, { ms: 0 }));
    expect(await logsOf(runId)).toEqual([]);
  });

  test("responds 406 for an unsupported format", proves("error.not_acceptable"), async () => {
    const { runId } = result(await server.run(sleeperName, { ms: 0 }));
    for (const accept of ["image/png", "text/html"]) {
      const answer = await server.call("GET", `/runs/${runId}/logs`, undefined, { accept });
      expectProblem(answer, "not_acceptable");
    }
  });
});

test("lists runs newest first, by tool and status", proves("run.list"), async () => {
  const name = await server.makeTool(
    "export default ({ fail }) => { if (fail) throw new Error('x'); return {} }",
  );
  const ids: string[] = [];
  for (const fail of [false, true, false]) {
    ids.unshift(result(await server.run(name, { fail })).runId);
  }
  const list = async (query: string) => {
    const answer = expectStatus(200, await server.call("GET", `/runs?${query}`));
    return z
      .array(runSummary)
      .parse(answer.body)
      .map(({ runId }) => runId);
  };
  expect(await list(`toolName=${name}`)).toEqual(ids);
  expect(await list(`toolName=${name}&status=failed`)).toEqual([ids[1]]);
  expect(await list(`toolName=${name}&status=completed`)).toEqual([ids[0], ids[2]]);
  expect(await list(`toolName=${name}&status=cancelled`)).toEqual([]);
  expect(await list("limit=3")).toEqual(ids);
  expect(await list("toolName=none_abcd")).toEqual([]);
  expectProblem(await server.call("GET", "/runs?status=done"), "invalid_request");
});

test(
  "rejects a tool whose credentials are missing, and names each",
  proves("error.credentials_missing"),
  async () => {
    const name = await server.makeTool("export default () => ({})", {
      credentials: [
        { name: "WEATHER_KEY", description: "", hosts: ["api.example.com"] },
        { name: "OTHER_KEY", description: "", hosts: [] },
      ],
    });
    const answer = await server.run(name);
    expectProblem(answer, "credentials_missing");
    expect(answer.body.missing).toEqual([
      {
        name: "WEATHER_KEY",
        reason: "missing",
        connectUrl: expect.stringContaining(`${server.baseUrl}/`),
      },
      {
        name: "OTHER_KEY",
        reason: "missing",
        connectUrl: expect.stringContaining(`${server.baseUrl}/`),
      },
    ]);
    expect((await server.call("GET", `/runs?toolName=${name}`)).body).toEqual([]);
  },
);

describe("a workspace with one slot", () => {
  let small: Server;
  let name: string;
  beforeAll(async () => {
    small = await startServer({ WORKSPACE_MAX_CONCURRENT_RUNS: "1", MAX_QUEUED_RUNS: "2" });
    name = await small.makeTool(sleeper);
  });
  afterAll(() => small?.stop());

  test(
    "queues the next runs in order, and rejects those beyond the queue's limit",
    proves("run.queued", "run.own_concurrency", "error.unavailable"),
    async () => {
      const startRun = async (ms: number) =>
        small.call("POST", `/run/${name}`, { ms }, { prefer: "respond-async" });
      const first = result(await startRun(60_000));
      const second = result(await startRun(1));
      const third = result(await startRun(2));
      expect(first.queued).toBeUndefined();
      expect([second, third]).toMatchObject([
        { status: "running", queued: true },
        { status: "running", queued: true },
      ]);
      const refused = await startRun(3);
      expectProblem(refused, "unavailable");
      expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
      const waiting = await small.call("GET", `/runs/${second.runId}`);
      expect(waiting.body).toMatchObject({ status: "running", queued: true, startedAt: null });
      await small.call("POST", `/runs/${third.runId}/cancel`);
      expect(await small.finished(third.runId)).toMatchObject({
        status: "cancelled",
        startedAt: null,
      });
      await small.call("POST", `/runs/${first.runId}/cancel`);
      expect(await small.finished(second.runId)).toMatchObject({
        status: "completed",
        output: { slept: 1 },
        startedAt: expect.any(String),
      });
      expect((await small.finished(second.runId)).queued).toBeUndefined();
    },
  );
});
