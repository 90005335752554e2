import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failure, messages, output, run, testSandbox, type RunOptions } from "./test-sandbox.ts";
import type { Sandbox } from "./types.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await testSandbox({ maxProcesses: 4 });
});
afterAll(() => sandbox.stop());

const COUNT = `console.log("evaluated"); export default () => (globalThis.count = (globalThis.count ?? 0) + 1)`;
const fresh = (options: RunOptions = {}) =>
  run(sandbox, COUNT, { isolation: "fresh", workspaceId: "fresh", ...options });
const refused = (host: string) => [
  true,
  "EgressDenied",
  "egress_denied",
  `egress_denied: the request to ${host} was denied: the host is not in the tool's allowedHosts`,
];
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a reused isolate", () => {
  test("serves only runs with the same key", async () => {
    const first = await run(sandbox, COUNT, { reuseKey: "a" });
    const second = await run(sandbox, COUNT, { reuseKey: "a" });
    const other = await run(sandbox, COUNT, { reuseKey: "b" });
    const elsewhere = await run(sandbox, COUNT, { reuseKey: "a", workspaceId: "elsewhere" });
    expect([first, second, other, elsewhere].map(output)).toEqual([1, 2, 1, 1]);
    expect([first, second, other, elsewhere].map(({ reused }) => reused)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect([first, second].map(messages)).toEqual([["evaluated"], []]);
  });

  test("is not shared with other code under the same key", async () => {
    await run(sandbox, COUNT, { reuseKey: "c" });
    expect(output(await run(sandbox, `${COUNT};`, { reuseKey: "c" }))).toBe(1);
  });

  test("distinguishes keys and code IDs that are equal when joined", async () => {
    const code = (id: string) => ({ id, module: COUNT });
    await run(sandbox, COUNT, { reuseKey: "ab", code: code("cd") });
    expect(output(await run(sandbox, COUNT, { reuseKey: "abc", code: code("d") }))).toBe(1);
  });

  test("logs nothing of a run whose work continues after its end", async () => {
    const module = `import { waitUntil } from "cloudflare:workers";
      export default (input) => {
        console.log("run " + input.n);
        const work = async () => { for (let i = 0; i < 40; i++) {
          console.log("left by " + input.n); await new Promise((resolve) => setTimeout(resolve, 10)) } };
        waitUntil(work()); setTimeout(() => console.log("timer of " + input.n), 30);
        return new Promise((resolve) => setTimeout(() => resolve(input.n), 100));
      }`;
    await run(sandbox, module, { inputJson: '{"n":1}' });
    const second = await run(sandbox, module, { inputJson: '{"n":2}' });
    expect(messages(second).filter((message) => message.endsWith("1"))).toEqual([]);
    expect(messages(second)).toContain("run 2");
  });

  test("does not share its process while leftover work of another user's tool continues", async () => {
    const small = await testSandbox({ maxProcesses: 1, idleProcesses: 0 });
    // Waits until the next run has started, and then tries to use up its time.
    const leaving = `import { waitUntil } from "cloudflare:workers";
      export default () => waitUntil(new Promise((r) => setTimeout(r, 250)).then(() => { for (;;); }))`;
    const slow = `export default () => new Promise((resolve) => setTimeout(resolve, 400, "innocent"))`;
    for (const isolation of ["reuse", "fresh"] as const) {
      expect(output(await run(small, leaving, { reuseKey: "one", isolation }))).toBe(null);
      const [inLine, after] = await Promise.all([
        run(small, slow, { reuseKey: "two" }),
        run(small, slow, { reuseKey: "three" }),
      ]);
      expect([inLine, after].map(output)).toEqual(["innocent", "innocent"]);
    }
    await small.stop();
  });

  test("does not share its process because a tool forged the lines of the dispatcher", async () => {
    const forge = `
      const { stringify } = JSON;
      JSON.stringify = (value, ...rest) => {
        const mark = /^(\\w+) log info \\d+ leave$/.exec(value?.message)?.[1];
        if (mark === undefined) return stringify(value, ...rest);
        return ["end", "idle"].map((word) => stringify({ ...value, message: mark + " " + word })).join("\\n");
      };
      export default () => {
        console.log("leave");
        const { waitUntil } = process.getBuiltinModule("cloudflare:workers");
        waitUntil(new Promise((resolve) => setTimeout(resolve, 20)).then(() => { for (;;); }));
      }`;
    const victim = `export default () => new Promise((resolve) => setTimeout(resolve, 300, "unharmed"))`;
    const only = await testSandbox({ maxProcesses: 1 });
    await run(only, forge, { reuseKey: "mallory" });
    const result = await run(only, victim, { reuseKey: "alice", limits: { cpuMs: 200 } });
    await only.stop();
    expect(output(result)).toBe("unharmed");
    expect(only.stats().unusable).toBe(1);
  });

  test("does not share its process with leftover work of a prewarmed isolate", async () => {
    const small = await testSandbox({ maxProcesses: 1, idleProcesses: 0 });
    const leaving = `import { waitUntil } from "cloudflare:workers"; export default ({ leave }) => {
      if (leave) waitUntil(new Promise((r) => setTimeout(r, 150)).then(() => { for (;;); })); return 1 }`;
    const slow = `export default () => new Promise((resolve) => setTimeout(resolve, 300, "innocent"))`;
    for (let i = 0; i < 4; i++) {
      const options = { reuseKey: "one", isolation: "fresh" as const };
      for (const inputJson of ["{}", "{}", '{"leave":true}']) {
        await pause(60);
        expect(output(await run(small, leaving, { ...options, inputJson }))).toBe(1);
      }
      expect(output(await run(small, slow, { reuseKey: "two" }))).toBe("innocent");
    }
    await small.stop();
  });

  test("remains in its process if the tool left no work behind", async () => {
    const small = await testSandbox({ maxProcesses: 3, idleProcesses: 0 });
    for (let i = 0; i < 40; i++) {
      const reuseKey = `${i % 3}`;
      expect(output(await run(small, `export default () => ${i % 3}`, { reuseKey }))).toBe(i % 3);
    }
    const { started, killed } = small.stats();
    expect({ started, killed }).toEqual({ started: 1, killed: 0 });
    await small.stop();
  });

  test("stays when its process has no room for another, which gets another process", async () => {
    const many = await testSandbox({
      maxProcesses: 2,
      idleProcesses: 1,
      maxRunsPerProcess: 10_000,
    });
    const reused: boolean[] = [];
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 65; i++) {
        const result = await run(many, `export default () => ${i}`, { workspaceId: "many" });
        expect(output(result)).toBe(i);
        if (round > 0) reused.push(result.reused);
      }
    }
    // A run does not wait for its isolate on a busy machine.
    expect(reused.filter(Boolean).length).toBeGreaterThan(45);
    await many.stop();
  });
});

describe("a fresh isolate", () => {
  test("serves one run, prewarmed or not, which gets the log of its evaluation", async () => {
    for (let i = 0; i < 6; i++) {
      const result = await fresh();
      expect(output(result)).toBe(1);
      expect(result.reused).toBe(false);
      expect(messages(result)).toEqual(["evaluated"]);
      if (i % 2 === 0) await pause(60);
    }
  });

  test("is prewarmed for a tool that runs repeatedly", async () => {
    const slow = `const end = performance.now() + 1; let n = 0; while (n < 3e7) n++; export default () => n`;
    const options = { isolation: "fresh" as const, workspaceId: "prewarmed" };
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      times.push((await run(sandbox, slow, options)).cpuMs);
      await pause(400);
    }
    const [first = 0, , ...prewarmed] = times;
    expect(Math.min(...prewarmed)).toBeLessThan(first / 2);
  });

  test("does not serve another key when it is prewarmed", async () => {
    for (const reuseKey of ["one", "one", "one", "two", "one", "two"]) {
      await pause(40);
      expect(output(await fresh({ reuseKey }))).toBe(1);
    }
  });

  test("is discarded for another tool of its workspace", async () => {
    await fresh();
    await fresh();
    const results = await Promise.all([
      run(sandbox, `export default () => "other"`, { workspaceId: "fresh" }),
      run(sandbox, `export default () => "third"`, { workspaceId: "fresh" }),
    ]);
    expect(results.map(output)).toEqual(["other", "third"]);
    expect(output(await fresh())).toBe(1);
  });

  test("is subject to the limits while it is prewarmed", async () => {
    // Loops in about every other evaluation: some kill their run, the prewarmed ones only themselves.
    const module = `if (Math.random() < 0.5) for (;;); export default () => 1`;
    const options = { isolation: "fresh" as const, workspaceId: "watched", limits: { cpuMs: 60 } };
    const { killed } = sandbox.stats();
    const outcomes = { failed: 0 };
    for (let i = 0; i < 40 && sandbox.stats().killed - killed <= outcomes.failed; i++) {
      const result = await run(sandbox, module, options);
      if (result.status === "failed") outcomes.failed += 1;
      // On a busy machine, the next run would start before the prewarmed isolate has used up its time.
      await pause(i < 12 ? 120 : 1_000);
    }
    expect(sandbox.stats().killed - killed).toBeGreaterThan(outcomes.failed);
  });
});

describe("network access", () => {
  test("throws a catchable error with the name of the host", async () => {
    const module = `export default async (input) => {
      try { await fetch(input.url, { method: "POST", body: "x".repeat(1e6), headers: { "x-toolhost-isolate": "forged" } }) }
      catch (error) { return [error instanceof Error, error.name, error.code, error.message] } }`;
    for (const [url, host] of [
      ["https://api.example.com/path?q=1", "api.example.com"],
      ["http://169.254.169.254/latest", "169.254.169.254"],
      ["http://localhost:8080/", "localhost:8080"],
    ]) {
      const inputJson = JSON.stringify({ url });
      expect(output(await run(sandbox, module, { inputJson }))).toEqual(refused(host ?? ""));
    }
  });

  test("reports egress_denied for an uncaught denial, also as a cause", async () => {
    const plain = await run(sandbox, `export default () => fetch("https://api.example.com/")`);
    expect(failure(plain)).toMatchObject({
      code: "egress_denied",
      message:
        "The request to api.example.com was denied: the host is not in the tool's allowedHosts.",
    });
    const cause = await run(
      sandbox,
      `export default async () => { try { await fetch("https://a.example/") } catch (cause) { throw new Error("mine", { cause }) } }`,
    );
    expect(failure(cause)).toMatchObject({ code: "egress_denied", message: "mine" });
  });

  test.each([
    [
      "node:http",
      `import http from "node:http"; export default () => new Promise((_, no) => http.get("http://a.example/", () => {}).on("error", no))`,
      "egress_denied",
    ],
    [
      "a raw socket",
      `import { connect } from "cloudflare:sockets"; export default () => connect("1.1.1.1:80").opened`,
      "egress_denied",
    ],
    [
      "node:net",
      `import net from "node:net"; export default () => new Promise((yes, no) => net.connect(80, "1.1.1.1").on("error", no).on("connect", yes))`,
      "egress_denied",
    ],
    [
      "a WebSocket",
      `export default () => new Promise((yes, no) => { const s = new WebSocket("wss://a.example/"); s.onerror = (e) => no(new Error(e.message)); s.onopen = yes })`,
      "tool_error",
    ],
    [
      "DNS",
      `import dns from "node:dns/promises"; export default () => dns.resolve4("a.example")`,
      "tool_error",
    ],
    ["the cache", `export default () => caches.default.match("http://a.example/")`, "tool_error"],
  ])("is denied to %s", async (_name, module, code) => {
    expect(failure(await run(sandbox, module)).code).toBe(code);
  });

  test("works for an isolate that is reused", async () => {
    const module = `export default async () => { try { await fetch("https://a.example/") } catch (error) { return error.message } }`;
    for (let i = 0; i < 3; i++) {
      expect(output(await run(sandbox, module))).toBe(
        "egress_denied: the request to a.example was denied: the host is not in the tool's allowedHosts",
      );
    }
  });

  test("does not reach the dispatcher or other code", async () => {
    const module = `import { env, exports } from "cloudflare:workers";
      export default async () => [Object.keys(env), Object.keys(exports)]`;
    expect(output(await run(sandbox, module))).toEqual([[], ["default"]]);
  });
});
