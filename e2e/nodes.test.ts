import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "./src/database.ts";
import { expectProblem } from "./src/expect-problem.ts";
import { createCall } from "./src/http.ts";
import type { Call } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService, spawnService, whenReady } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";
import { until } from "./src/until.ts";

const sleeper = "export default ({ ms }) => new Promise((done) => setTimeout(done, ms, { ms }))";

describe.skipIf(dialect !== "postgres")("two nodes on one database", () => {
  let one: Server;
  let other: ReadyService;
  let callOther: Call;
  let callOtherAsOwner: Call;

  beforeAll(async () => {
    one = await startServer({ ENCRYPTION_KEY: randomBytes(32).toString("hex") });
    const settings = { ...one.settings, DATA_DIR: join(one.workDir, "other") };
    other = await whenReady(spawnService(one.workDir, settings));
    const at = () => other.baseUrl;
    callOther = createCall(at, () => ({ authorization: `Bearer ${one.apiKey}` }));
    callOtherAsOwner = createCall(at, () => ({ cookie: one.cookie, origin: at() }));
  });
  afterAll(async () => {
    if (other !== undefined) await endService(other, "SIGTERM");
    await one?.stop();
  });

  test(
    "know of each other's tools by the very next call",
    proves("start.nodes", "tools.new_usable_at_once"),
    async () => {
      const first = await callOther("GET", "/skills/search?q=kaleidoscope");
      expect(first.body.results[0].matches).toEqual([]);
      const name = await one.makeTool("export default () => ({ version: 1 })", {
        title: "Kaleidoscope",
      });
      const found = await callOther("GET", "/skills/search?q=kaleidoscope");
      expect(found.body.results[0].matches[0].name).toBe(name);
      expect((await callOther("POST", `/run/${name}`, {})).body.output).toEqual({ version: 1 });
      const code = "export default () => ({ version: 2 })";
      const patch = { source: { language: "typescript", code }, title: "Periscope" };
      expectStatus(200, await one.call("PATCH", `/tools/${name}`, patch));
      expect((await callOther("POST", `/run/${name}`, {})).body.output).toEqual({ version: 2 });
      expectStatus(204, await callOther("DELETE", `/tools/${name}`));
      expectProblem(await one.run(name), "tool_not_found");
    },
  );

  test(
    "refuse a key that the other revoked",
    proves("start.nodes", "keys.revoked_alone"),
    async () => {
      const { id, key } = await one.createKey({ name: "Both", scopes: ["mcp:read"] });
      const callWithKey = createCall(
        () => other.baseUrl,
        () => ({ authorization: `Bearer ${key}` }),
      );
      expectStatus(200, await callWithKey("GET", "/tools"));
      expectStatus(204, await one.callAsOwner("DELETE", `/api-keys/${id}`));
      expectProblem(await callWithKey("GET", "/tools"), "unauthenticated");
      expectStatus(200, await callOtherAsOwner("GET", "/me"));
    },
  );

  test("show each other's runs", proves("start.nodes", "run.record"), async () => {
    const name = await one.makeTool(sleeper);
    const { body } = await callOther("POST", `/run/${name}`, { ms: 1 });
    expect((await one.call("GET", `/runs/${body.runId}`)).body.output).toEqual({ ms: 1 });
  });

  test("cancel each other's runs", proves("start.nodes", "run.cancelled"), async () => {
    const name = await one.makeTool(sleeper);
    const { body } = await callOther("POST", `/run/${name}`, { ms: 60_000 }, { prefer: "wait=0" });
    expectStatus(200, await one.call("POST", `/runs/${body.runId}/cancel`));
    expect(await one.finished(body.runId)).toMatchObject({ status: "cancelled" });
  });

  test("seal one chain of events", proves("start.nodes", "audit.sealed"), async () => {
    const name = await one.makeTool("export default () => ({})");
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 === 0 ? one.call : callOther)("POST", `/run/${name}`, {}),
      ),
    );
    const events = await until("every event is sealed", 15_000, async () => {
      const { body } = await one.call("GET", "/audit-events?limit=200");
      return body.every(({ sequence }: { sequence: number | null }) => sequence !== null) && body;
    });
    const numbers = events.map(({ sequence }: { sequence: number }) => sequence);
    expect(numbers.toSorted((a: number, b: number) => a - b)).toEqual(
      Array.from(numbers, (_, index) => index + 1),
    );
  });

  test(
    "end the runs of one that died, and keep the runs of one that lives",
    proves("start.nodes", "run.terminal", "run_error.sandbox_lost"),
    async () => {
      const name = await one.makeTool(sleeper);
      const kept = await one.call("POST", `/run/${name}`, { ms: 60_000 }, { prefer: "wait=0" });
      const lost = await callOther("POST", `/run/${name}`, { ms: 60_000 }, { prefer: "wait=0" });
      await endService(other, "SIGKILL");
      expect(await one.finished(lost.body.runId)).toMatchObject({
        status: "failed",
        error: { code: "sandbox_lost" },
      });
      expect((await one.call("GET", `/runs/${kept.body.runId}`)).body.status).toBe("running");
      const events = await one.call("GET", `/audit-events?target=${lost.body.runId}`);
      expect(events.body).toMatchObject([{ action: "run.create", outcome: "sandbox_lost" }]);
    },
  );
});
