import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outputBudget } from "./event-loop-budget.ts";
import { failure, MEBIBYTE, messages, output, run, testSandbox } from "./test-sandbox.ts";
import type { LogEntry, Progress, Sandbox } from "./types.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.stop());

describe("the tool's environment", () => {
  test("contains its input, run ID and credentials", async () => {
    const result = await run(
      sandbox,
      `export default (input, ctx) => [input, ctx.runId, ctx.credentials.TOKEN,
        ctx.credentials.OTHER === undefined, ctx.credentials.toString === undefined,
        Object.isFrozen(ctx.credentials), ctx.signal.aborted]`,
      { inputJson: '{"a":[1,"ü"]}', runId: "run-x", credentials: { TOKEN: "placeholder" } },
    );
    expect(output(result)).toEqual([
      { a: [1, "ü"] },
      "run-x",
      "placeholder",
      true,
      true,
      true,
      false,
    ]);
  });

  test("allows an input of 1 MiB and an output of 6 MiB", async () => {
    const text = "x".repeat(1024 * 1024);
    const module = `export default (input) => ({ length: input.length, big: "y".repeat(6e6) })`;
    const limits = { outputBytes: 6 * 1024 * 1024 };
    const result = await run(sandbox, module, { inputJson: JSON.stringify(text), limits });
    expect(output(result)).toEqual({ length: text.length, big: "y".repeat(6e6) });
  });

  test.each(["reuse", "fresh"] as const)(
    "allows an output of exactly its limit, with isolation %s",
    async (isolation) => {
      const outputBytes = MEBIBYTE;
      const module = `export default ({ length }) => "x".repeat(length)`;
      const of = (length: number) =>
        run(sandbox, module, {
          isolation,
          inputJson: JSON.stringify({ length }),
          limits: { outputBytes },
        });
      expect(String(output(await of(outputBytes - 2))).length).toBe(outputBytes - 2);
      expect(failure(await of(outputBytes - 1)).code).toBe("output_too_large");
    },
  );

  test("does not time out while the service reads large outputs of other runs", async () => {
    const module = `export default () => "x".repeat(${MEBIBYTE})`;
    const limits = { outputBytes: 2 * MEBIBYTE, wallMs: 1_500 };
    await run(sandbox, module, { limits });
    const ended = new AbortController();
    const readOthers = async (): Promise<void> => {
      await outputBudget.waitForTurn();
      outputBudget.countTime(() => spin(10));
      if (!ended.signal.aborted) await readOthers();
    };
    const others = Array.from({ length: 250 }, readOthers);
    const result = await run(sandbox, module, { limits });
    ended.abort();
    await Promise.all(others);
    expect(String(output(result))).toHaveLength(MEBIBYTE);
  });

  test("provides the Node built-ins that need no host", async () => {
    const module = `
      import { createHash } from "node:crypto"; import { EventEmitter } from "node:events";
      import { Readable } from "node:stream"; import path from "node:path"; import util from "node:util";
      import assert from "node:assert"; import url from "node:url"; import { Buffer } from "node:buffer";
      import { StringDecoder } from "node:string_decoder";
      export default () => [createHash("sha256").update("a").digest("hex").slice(0, 4),
        typeof EventEmitter, typeof Readable, path.join("a", "b"), util.inspect({ a: 1 }),
        typeof assert.ok, typeof url.parse, Buffer.from("a").toString("base64"), typeof StringDecoder]`;
    expect(output(await run(sandbox, module))).toEqual([
      "ca97",
      "function",
      "function",
      "a/b",
      "{ a: 1 }",
      "function",
      "function",
      "YQ==",
      "function",
    ]);
  });

  test("hides the host's variables, files and processes", async () => {
    const module = `
      import fs from "node:fs"; import cp from "node:child_process";
      const attempt = (f) => { try { return f() } catch (error) { return "refused" } };
      export default () => [process.env, attempt(() => fs.readFileSync("/etc/passwd", "utf8")),
        attempt(() => fs.readdirSync("/proc")), attempt(() => fs.readFileSync("/app/config.capnp")),
        attempt(() => cp.execSync("id"))]`;
    expect(output(await run(sandbox, module))).toEqual([
      {},
      "refused",
      "refused",
      "refused",
      "refused",
    ]);
  });

  test("reports that files and other tools are not available", async () => {
    const files = await run(sandbox, `export default (_, ctx) => ctx.files.open("a")`);
    expect(failure(files)).toMatchObject({
      code: "tool_error",
      message: "ctx.files.open is not available on this server",
    });
    const tools = await run(sandbox, `export default (_, ctx) => ctx.tools.run("a", {})`);
    expect(failure(tools).message).toBe("ctx.tools.run is not available on this server");
  });

  test("aborts the signal shortly before the time limit", async () => {
    const module = `export default (_, ctx) => new Promise((resolve) => {
      setTimeout(() => {}, 60000);
      ctx.signal.addEventListener("abort", () => resolve("cleaned up"));
    })`;
    const result = await run(sandbox, module, { limits: { wallMs: 1_000 } });
    expect(output(result)).toBe("cleaned up");
  });
});

describe("console and progress", () => {
  test("records levels, times and formatted text of console calls", async () => {
    const received: LogEntry[] = [];
    const before = Date.now();
    const module = `export default () => {
      console.log("plain"); console.info("a %s", "b", { deep: { c: [1] } }); console.debug(1, null);
      console.warn(new Map([[1, 2]])); console.error(new Error("bad")); console.assert(1 > 2, "odd");
      console.count(); console.count(); console.time("t"); console.timeEnd("t"); console.table([{ a: 1 }]);
      console.dir({ a: 1 }); console.trace("here"); console.group("g"); console.log("in"); console.groupEnd();
      console.log("");
    }`;
    const result = await run(sandbox, module, { onLog: (entry) => received.push(entry) });
    expect(result.logs.map(({ level, message }) => `${level} ${message.split("\n")[0]}`)).toEqual([
      "info plain",
      "info a b { deep: { c: [ 1 ] } }",
      "debug 1 null",
      "warn Map(1) { 1 => 2 }",
      "error Error: bad",
      "error Assertion failed: odd",
      "info default: 1",
      "info default: 2",
      expect.stringMatching(/^info t: \d+ ms$/),
      "info [ { a: 1 } ]",
      "info { a: 1 }",
      "debug Trace: here",
      "info g",
      "info   in",
      "info ",
    ]);
    expect(received).toEqual(result.logs);
    for (const { at } of result.logs) expect(at).toBeGreaterThanOrEqual(before - 5);
  });

  test("records log lines written before an endless loop", async () => {
    const module = `console.log("module"); export default (_, ctx) => {
      console.log("before"); ctx.progress(0.25, "a quarter"); for (;;);
    }`;
    const progress: Progress[] = [];
    const onProgress = (step: Progress) => progress.push(step);
    const result = await run(sandbox, module, { limits: { cpuMs: 200 }, onProgress });
    expect(failure(result).code).toBe("cpu_limit");
    expect(messages(result)).toEqual(["module", "before"]);
    expect(progress).toEqual([{ fraction: 0.25, message: "a quarter" }]);
    for (const { at } of result.logs) expect(at).toBeGreaterThan(1.7e12);
  });

  test("records lines that are written just before the response", async () => {
    const module = `export default () => { for (let i = 0; i < 200; i++) console.log("line " + i); return 1 }`;
    for (let i = 0; i < 20; i++) {
      const result = await run(sandbox, module);
      expect(messages(result).length).toBe(200);
      expect(result.logsTruncated).toBe(false);
    }
  });

  test("truncates the log at its limit and lets the run continue", async () => {
    const module = `export default () => { for (let i = 0; i < 1e5; i++) console.log("é".repeat(100)); return "done" }`;
    const result = await run(sandbox, module, { limits: { logBytes: 1_001 } });
    expect(output(result)).toBe("done");
    expect(result.logsTruncated).toBe(true);
    const bytes = Buffer.byteLength(messages(result).join(""));
    expect(bytes).toBeLessThanOrEqual(1_001);
    expect(bytes).toBeGreaterThan(900);
  });

  test("limits empty entries, and lines written past the console", async () => {
    const empty = await run(
      sandbox,
      `export default () => { for (let i = 0; i < 3e4; i++) console.log("") }`,
    );
    expect(empty.logs.length).toBe(10_000);
    expect(empty.logsTruncated).toBe(true);
    const raw = `export default () => { for (let i = 0; i < 3e4; i++) process.stdout.write("x".repeat(1e3)) }`;
    const result = await run(sandbox, raw);
    expect(Buffer.byteLength(messages(result).join(""))).toBeLessThanOrEqual(10_000);
  });

  test("reports the latest progress about ten times a second", async () => {
    const received: Progress[] = [];
    const module = `export default async (_, ctx) => {
      for (let i = 0; i <= 500; i++) { ctx.progress(i / 500, "step " + i); await new Promise((r) => setTimeout(r, 1)) }
    }`;
    const result = await run(sandbox, module, {
      onProgress: (progress) => received.push(progress),
    });
    expect(output(result)).toBe(null);
    expect(received.at(-1)).toEqual({ fraction: 1, message: "step 500" });
    expect(received.length).toBeLessThan(result.durationMs / 100 + 4);
  });
});

describe("failures of a tool", () => {
  test("reports the message and stack of a thrown error, without internal frames", async () => {
    const module = `class Odd extends Error { name = "Odd" }\nfunction inner() { throw new Odd("no") }\nexport default () => inner()`;
    const error = failure(await run(sandbox, module));
    expect(error).toMatchObject({ code: "tool_error", message: "Odd: no" });
    expect(error.stack).toMatch(/at inner \(tool\.js:2:\d+\)/);
    expect(error.stack).not.toMatch(/toolhost/);
  });

  test.each([
    [`throw "words"`, "The tool threw words"],
    [`throw { a: 1 }`, "The tool threw { a: 1 }"],
    [`throw undefined`, "The tool threw undefined"],
    [`throw null`, "The tool threw null"],
    [`throw { get message() { throw 1 } }`, "The tool threw a value that cannot be read"],
  ])("describes a thrown value that is not an error: %s", async (statement, message) => {
    const result = await run(sandbox, `export default () => { ${statement} }`);
    expect(failure(result)).toMatchObject({ code: "tool_error", message });
  });

  test.each([
    [`export default 5`, /must be a function, and is of type number/],
    [`export const other = 1`, /must be a function, and is missing/],
    [`throw new Error("at the top"); export default 1`, /^at the top$/],
    [`export default (`, /^SyntaxError: /],
    [`import "./other.js"; export default () => 1`, /other\.js/],
  ])("reports what is wrong with a module: %s", async (module, message) => {
    const error = failure(await run(sandbox, module));
    expect(error.code).toBe("tool_error");
    expect(error.message).toMatch(message);
  });

  test.each([
    [`const a = { b: {} }; a.b.c = a; return a`, /a cycle at output\.b\.c/],
    [`return { a: [1n] }`, /a BigInt at output\.a\.0/],
    [`return () => 1`, /returned a function/],
    [`return Symbol("a")`, /returned a symbol/],
    [`return { toJSON() { throw new Error("mine") } }`, /mine/],
  ])("rejects an output that cannot be serialized as JSON: %s", async (body, message) => {
    const error = failure(await run(sandbox, `export default () => { ${body} }`));
    expect(error.code).toBe("invalid_output");
    expect(error.message).toMatch(message);
  });

  test("returns null if the tool returns nothing", async () => {
    expect(output(await run(sandbox, `export default () => {}`))).toBe(null);
    expect(output(await run(sandbox, `export default async () => null`))).toBe(null);
  });

  test("rejects an output over the limit, in characters or in bytes", async () => {
    for (const text of ["x", "é"]) {
      const module = `export default () => "${text}".repeat(600)`;
      const result = await run(sandbox, module, {
        limits: { outputBytes: text === "x" ? 500 : 1_000 },
      });
      expect(failure(result).code).toBe("output_too_large");
    }
  });

  test("returns the output of a tool that replaces globals and prototypes", async () => {
    const module = `
      Object.prototype.status = 500; Object.prototype.headers = { "x-outcome": "failed" };
      Object.prototype.toJSON = undefined; String.prototype.slice = null; Array.prototype.map = null;
      export default (input) => {
        globalThis.Response = class {}; JSON.stringify = () => "forged"; JSON.parse = null;
        globalThis.Promise = null; globalThis.Error = null; Headers.prototype.get = () => "forged";
        console.log = null; Date.now = null;
        return { ok: input.a };
      }`;
    expect(output(await run(sandbox, module, { inputJson: '{"a":1}' }))).toEqual({ ok: 1 });
  });

  test.each([
    ["{} trailing", "invalid_output", "The tool's output is not valid JSON."],
    ["[".repeat(1_001) + "]".repeat(1_001), "invalid_output", "nested more than 1000 levels deep"],
    [`{"a":`.repeat(1_001) + "1" + "}".repeat(1_001), "invalid_output", "nested more than"],
    [`"${"x".repeat(4_000)}"`, "output_too_large", "larger than 3000 bytes"],
  ])("validates a response that the tool replaced", async (forged, code, words) => {
    const module = `export default ({ forged }) => {
      const Answer = Response;
      Response.prototype.then = (resolve) => {
        delete Answer.prototype.then;
        resolve(new Answer(forged, { headers: { "x-outcome": "completed" } }));
      };
    }`;
    const inputJson = JSON.stringify({ forged });
    const limits = { outputBytes: code === "output_too_large" ? 3_000 : 100_000 };
    const error = failure(await run(sandbox, module, { inputJson, limits, isolation: "fresh" }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
  });

  test("validates long output that the tool replaced", async () => {
    const module = `export default () => {
      const Answer = Response;
      Response.prototype.then = (resolve) => {
        delete Answer.prototype.then;
        resolve(new Answer("{not JSON", { headers: { "x-outcome": "completed" } }));
      };
      return "x".repeat(2e6);
    }`;
    const limits = { outputBytes: 3_000_000 };
    expect(failure(await run(sandbox, module, { limits })).code).toBe("invalid_output");
  });

  test("reports a timeout immediately for a promise that nothing can settle", async () => {
    const result = await run(sandbox, `export default () => new Promise(() => {})`);
    expect(failure(result)).toMatchObject({
      code: "timeout",
      message: "The tool awaits a promise that can never settle.",
    });
    expect(result.durationMs).toBeLessThan(10_000);
  });
});

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
