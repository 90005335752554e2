import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "./src/expect-problem.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let server: Server;
let dice: string;
let sleeper: string;

beforeAll(async () => {
  server = await startServer({ IDEMPOTENCY_RETENTION_MS: "6000" });
  dice = await server.makeTool("export default () => ({ rolled: Math.random() })");
  sleeper = await server.makeTool(
    "export default ({ ms }) => new Promise((done) => setTimeout(done, ms, { ms }))",
  );
});
afterAll(() => server?.stop());

const keyed = (key: string = randomUUID()) => ({ "idempotency-key": key });

const runsOf = async (tool: string) =>
  (await server.call("GET", `/runs?toolName=${tool}&limit=200`)).body.length as number;

describe("the same Idempotency-Key and body", () => {
  test(
    "replays the same status, headers and bytes, marked as a replay",
    proves("idempotency.replay", "idempotency.runs_once"),
    async () => {
      const headers = { ...keyed(), prefer: "wait=30" };
      const before = await runsOf(dice);
      const first = expectStatus(200, await server.call("POST", `/run/${dice}`, {}, headers));
      const again = expectStatus(200, await server.call("POST", `/run/${dice}`, {}, headers));
      expect(first.headers.has("idempotent-replay")).toBe(false);
      expect(again.headers.get("idempotent-replay")).toBe("true");
      expect(again.text).toBe(first.text);
      const own = (answer: typeof first) =>
        [...answer.headers].filter(
          ([name]) => !["date", "idempotent-replay", "ratelimit"].includes(name),
        );
      expect(own(again)).toEqual(own(first));
      expect(await runsOf(dice)).toBe(before + 1);
    },
  );

  test(
    "returns 409 with Retry-After while the first request is in flight",
    proves("idempotency.in_flight", "error.idempotency_in_flight"),
    async () => {
      const headers = keyed();
      const first = server.call("POST", `/run/${sleeper}`, { ms: 1_000 }, headers);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const meanwhile = await server.call("POST", `/run/${sleeper}`, { ms: 1_000 }, headers);
      expectProblem(meanwhile, "idempotency_in_flight");
      expect(Number(meanwhile.headers.get("retry-after"))).toBeGreaterThan(0);
      const { text } = await first;
      const again = await server.call("POST", `/run/${sleeper}`, { ms: 1_000 }, headers);
      expect([again.text, again.headers.get("idempotent-replay")]).toEqual([text, "true"]);
    },
  );

  test(
    "returns the run that was in progress when the process died",
    { ...proves("idempotency.crash"), tags: ["nightly"] },
    async () => {
      const headers = keyed();
      const cutOff = server.call("POST", `/run/${sleeper}`, { ms: 60_000 }, headers).catch(() => 0);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const before = await runsOf(sleeper);
      await server.end("SIGKILL");
      await cutOff;
      await server.startAgain({ IDEMPOTENCY_RETENTION_MS: "86400000" });
      let answer = await server.call("POST", `/run/${sleeper}`, { ms: 60_000 }, headers);
      for (let tries = 0; answer.status === 409 && tries < 60; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        answer = await server.call("POST", `/run/${sleeper}`, { ms: 60_000 }, headers);
      }
      expectStatus(200, answer);
      expect(answer.body.status).toBe("failed");
      expect(["interrupted", "sandbox_lost"]).toContain(answer.body.error.code);
      const record = await server.call("GET", `/runs/${answer.body.runId}`);
      expect(record.body).toMatchObject({ status: "failed", error: answer.body.error });
      expect(await runsOf(sleeper)).toBe(before);
      await server.end("SIGTERM");
      await server.startAgain({ IDEMPOTENCY_RETENTION_MS: "6000" });
    },
  );
});

test(
  "rejects another body, path or method with a used key",
  proves("idempotency.other_body", "error.idempotency_key_reused", "idempotency.fingerprint"),
  async () => {
    const headers = keyed();
    const first = expectStatus(
      200,
      await server.call("POST", `/run/${dice}`, { a: 1, b: [2] }, headers),
    );
    const same = await server.call("POST", `/run/${dice}`, '{ "b": [2.0], "a": 1e0 }', headers);
    expect(same.text).toBe(first.text);
    const others = [
      await server.call("POST", `/run/${dice}`, { a: 1, b: [3] }, headers),
      await server.call("POST", `/run/${sleeper}`, { a: 1, b: [2] }, headers),
      await server.call("PATCH", `/tools/${dice}`, { description: "Other" }, headers),
    ];
    for (const other of others) expectProblem(other, "idempotency_key_reused");
  },
);

test(
  "separates the namespaces of two keys of one user",
  proves("idempotency.namespace"),
  async () => {
    const second = await server.createKey({ name: "Second", scopes: ["mcp:execute"] });
    const headers = keyed();
    const first = await server.call("POST", `/run/${dice}`, { a: 1 }, headers);
    const other = await server.callWithKey(second.key)("POST", `/run/${dice}`, { a: 2 }, headers);
    expect([other.status, other.headers.has("idempotent-replay")]).toEqual([200, false]);
    const asOwner = await server.callAsOwner("POST", `/run/${dice}`, { a: 3 }, headers);
    expect(new Set([first, other, asOwner].map(({ body }) => body.runId)).size).toBe(3);
  },
);

test("treats an expired key as new", proves("idempotency.expiry"), async () => {
  const headers = keyed();
  const first = await server.call("POST", `/run/${dice}`, { a: 1 }, headers);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect((await server.call("POST", `/run/${dice}`, { a: 1 }, headers)).text).toBe(first.text);
  // The age counts from the first request, regardless of replays.
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  const later = await server.call("POST", `/run/${dice}`, { a: 2 }, headers);
  expect([later.status, later.headers.has("idempotent-replay")]).toEqual([200, false]);
});

test(
  "does not store a response from before the handler started",
  proves("idempotency.not_stored"),
  async () => {
    const strict = await server.makeTool("export default () => ({})", {
      inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    });
    const headers = keyed();
    const reader = await server.createKey({ name: "Reader", scopes: ["mcp:read"] });
    const run = (body: unknown, more: Record<string, string> = {}) =>
      server.call("POST", `/run/${strict}`, body, { ...headers, ...more });
    expectProblem(await run({ n: "x" }), "invalid_input");
    expectProblem(await run("{"), "invalid_request");
    expectProblem(await run({ n: 1 }, { authorization: "Bearer none" }), "unauthenticated");
    expectProblem(
      await run({ n: 1 }, { authorization: `Bearer ${reader.key}` }),
      "insufficient_scope",
    );
    expectProblem(await run({ n: 1 }, { "content-type": "text/html" }), "unsupported_media_type");
    expectProblem(await run({ n: 1, x: "x".repeat(1_100_000) }), "payload_too_large");
    const good = expectStatus(200, await run({ n: 1 }));
    expect(good.headers.has("idempotent-replay")).toBe(false);
  },
);
