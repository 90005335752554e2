import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let echo: string;
let sleeper: string;
beforeAll(async () => {
  test = await startTestService();
  echo = await test.makeTool("export default (input) => ({ ...input, at: Math.random() })");
  sleeper = await test.makeTool(
    "export default ({ ms }) => new Promise((resolve) => setTimeout(() => resolve({ ms }), ms))",
  );
});
afterAll(() => test.stop());

const keyed = (key: string = randomUUID()) => ({ "idempotency-key": key });

async function runCount(tool: string): Promise<number> {
  return (await test.call("GET", `/runs?toolName=${tool}&limit=200`)).body.length;
}

/** The stored record of a key. */
async function recordOf(key: string) {
  return test.service.context.db.kysely
    .selectFrom("idempotency_records")
    .selectAll()
    .where("id", "like", `%/${key}`)
    .executeTakeFirstOrThrow();
}

async function setRecord(key: string, set: { body: string } | { headers: string }): Promise<void> {
  await test.service.context.db.kysely
    .updateTable("idempotency_records")
    .set(set)
    .where("id", "like", `%/${key}`)
    .execute();
}

describe("Idempotency-Key of POST /run/{toolName}", () => {
  it("replays the same status, headers and bytes without another run", async () => {
    const headers = { ...keyed(), prefer: "wait=20" };
    const before = await runCount(echo);
    const first = await test.call("POST", `/run/${echo}`, { a: 1 }, headers);
    const again = await test.call("POST", `/run/${echo}`, { a: 1 }, headers);
    expect(first.headers.get("idempotent-replay")).toBeNull();
    expect(again.headers.get("idempotent-replay")).toBe("true");
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    for (const name of ["content-type", "cache-control", "preference-applied", "x-request-id"]) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(await runCount(echo)).toBe(before + 1);
  });

  it("stores no second copy of the output, and also replays failed runs from the run", async () => {
    const large = await test.makeTool(
      `export default ({ fails }) => {
        if (fails) throw new Error("x".repeat(5_000));
        return { text: "ä€\\u2028\\ud800".repeat(20_000), 2: [1e21, -0, null], 1: {} };
      }`,
    );
    for (const fails of [false, true]) {
      const key = randomUUID();
      const first = await test.call("POST", `/run/${large}`, { fails }, keyed(key));
      expect(first.body.status).toBe(fails ? "failed" : "completed");
      const again = await test.call("POST", `/run/${large}`, { fails }, keyed(key));
      expect(again.headers.get("idempotent-replay")).toBe("true");
      expect(again.text).toBe(first.text);
      const record = await recordOf(key);
      expect(record.run_id).toBe(first.body.runId);
      expect(JSON.stringify(record).length).toBeLessThan(2_000);
    }
  });

  it("replays the same bytes after the base URL has changed", async () => {
    const headers = keyed();
    const first = await test.call("POST", `/run/${echo}`, { a: 5 }, headers);
    const { context } = test.service;
    const { config } = context;
    context.config = { ...config, baseUrl: "https://elsewhere.example" };
    const again = await test.call("POST", `/run/${echo}`, { a: 5 }, headers);
    context.config = config;
    expect(again.headers.get("idempotent-replay")).toBe("true");
    expect(again.text).toBe(first.text);
  });

  it("stores only the headers that other runs do not have, and replays those that were stored in full", async () => {
    const key = randomUUID();
    const headers = { ...keyed(key), prefer: "wait=7" };
    const first = await test.call("POST", `/run/${echo}`, { a: 6 }, headers);
    expect(JSON.parse((await recordOf(key)).headers)).toEqual({ "preference-applied": "wait=7" });
    const full = { "content-type": "application/json", "x-request-id": "as it was stored" };
    await setRecord(key, { headers: JSON.stringify(full) });
    const again = await test.call("POST", `/run/${echo}`, { a: 6 }, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("x-request-id")).toBe("as it was stored");
  });

  it("replays a response that was stored in full", async () => {
    const key = randomUUID();
    await test.call("POST", `/run/${echo}`, { a: 3 }, keyed(key));
    const body = '{"runId":"as it was stored"}';
    await setRecord(key, { body });
    const again = await test.call("POST", `/run/${echo}`, { a: 3 }, keyed(key));
    expect([again.status, again.text]).toEqual([200, body]);
  });

  it("returns 404 without another run when its run was deleted", async () => {
    const key = randomUUID();
    const { body } = await test.call("POST", `/run/${echo}`, { a: 4 }, keyed(key));
    await test.service.context.db.kysely.deleteFrom("runs").where("id", "=", body.runId).execute();
    const before = await runCount(echo);
    const again = await test.call("POST", `/run/${echo}`, { a: 4 }, keyed(key));
    expect([again.status, again.body.code]).toEqual([404, "run_not_found"]);
    expect(again.body.detail).toContain("Send a new key");
    expect(await runCount(echo)).toBe(before);
  });

  it("ignores the case of the key and the formatting of the JSON", async () => {
    const key = randomUUID();
    const first = await test.call("POST", `/run/${echo}`, '{"a":1.0,"b":"\\u0078"}', keyed(key));
    const again = await test.call(
      "POST",
      `/run/${echo}`,
      '{ "b": "x", "a": 1 }',
      keyed(key.toUpperCase()),
    );
    expect(again.headers.get("idempotent-replay")).toBe("true");
    expect(again.text).toBe(first.text);
  });

  it("returns idempotency_key_reused for another body, path or method", async () => {
    const headers = keyed();
    await test.call("POST", `/run/${echo}`, { a: 1 }, headers);
    const others = await Promise.all([
      test.call("POST", `/run/${echo}`, { a: 2 }, headers),
      test.call("POST", `/run/${sleeper}`, { a: 1 }, headers),
      test.call("DELETE", `/tools/${echo}`, undefined, headers),
    ]);
    for (const { status, body } of others) {
      expect([status, body.code]).toEqual([422, "idempotency_key_reused"]);
    }
    expect((await test.call("GET", `/tools/${echo}`)).status).toBe(200);
  });

  it("returns 409 while the first request is in flight, and replays afterwards", async () => {
    const headers = keyed();
    const first = test.call("POST", `/run/${sleeper}`, { ms: 600 }, headers);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const meanwhile = await test.call("POST", `/run/${sleeper}`, { ms: 600 }, headers);
    expect([meanwhile.status, meanwhile.body.code]).toEqual([409, "idempotency_in_flight"]);
    expect(Number(meanwhile.headers.get("retry-after"))).toBeGreaterThan(0);
    const { text, body } = await first;
    expect(body.runId).toBe(meanwhile.body.runId);
    const again = await test.call("POST", `/run/${sleeper}`, { ms: 600 }, headers);
    expect([again.headers.get("idempotent-replay"), again.text]).toEqual(["true", text]);
  });

  it("replays `running` if that was the response", async () => {
    for (const prefer of ["wait=0", "wait=1", "respond-async"]) {
      const headers = { ...keyed(), prefer };
      const first = await test.call("POST", `/run/${sleeper}`, { ms: 1_500 }, headers);
      expect(first.body.status).toBe("running");
      await test.call("POST", `/runs/${first.body.runId}/cancel`);
      const again = await test.call("POST", `/run/${sleeper}`, { ms: 1_500 }, headers);
      expect([again.text, again.headers.get("idempotent-replay")]).toEqual([first.text, "true"]);
      expect(again.headers.get("preference-applied")).toBe(prefer);
    }
  });

  it("runs one of many simultaneous first requests", async () => {
    const headers = keyed();
    const before = await runCount(echo);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => test.call("POST", `/run/${echo}`, { many: 1 }, headers)),
    );
    const firsts = answers.filter(
      ({ status, headers: own }) => status === 200 && !own.has("idempotent-replay"),
    );
    expect(firsts).toHaveLength(1);
    const replays = answers.filter(({ status }) => status === 200);
    expect(new Set(replays.map(({ text }) => text)).size).toBe(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(
      others.every(({ status, headers: own }) => status === 409 && own.has("retry-after")),
    ).toBe(true);
    expect(await runCount(echo)).toBe(before + 1);
  });

  it("is reserved once while one process serves simultaneous requests", async () => {
    const { db } = test.service.context;
    const writeGuarded = db.writeGuarded.bind(db);
    let refused = 0;
    db.writeGuarded = async <Row extends object>(...write: Parameters<typeof writeGuarded>) => {
      const result = await writeGuarded<Row>(...write);
      if (result === undefined) refused += 1;
      return result;
    };
    const headers = keyed();
    const send = () => test.call("POST", `/run/${echo}`, { same: 1 }, headers);
    const answers = await Promise.all(Array.from({ length: 12 }, send));
    db.writeGuarded = writeGuarded;
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(refused).toBe(0);
    const other = await test.call("POST", `/run/${echo}`, { same: 2 }, headers);
    expect(other.body.code).toBe("idempotency_key_reused");
  });

  it("is released after a request that started nothing", async () => {
    const strict = await test.makeTool("export default () => ({})", {
      inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    });
    const headers = keyed();
    for (const body of [{}, { n: "1" }, "{"]) {
      expect((await test.call("POST", `/run/${strict}`, body, headers)).status).toBe(400);
    }
    const wrongKey = { ...headers, authorization: "Bearer th_nobody" };
    expect((await test.call("POST", `/run/${strict}`, { n: 1 }, wrongKey)).status).toBe(401);
    const type = { ...headers, "content-type": "text/plain" };
    expect((await test.call("POST", `/run/${strict}`, { n: 1 }, type)).status).toBe(415);
    const compressed = { ...headers, "content-encoding": "gzip" };
    const rejected = await test.call("POST", `/run/${strict}`, { n: 1 }, compressed);
    expect(rejected.status).toBe(415);
    expect(rejected.body.detail).toContain("Content-Encoding");
    const good = await test.call("POST", `/run/${strict}`, { n: 1 }, headers);
    expect([good.status, good.headers.has("idempotent-replay")]).toEqual([200, false]);
  });

  it("replays an error that a retry would not change", async () => {
    const headers = keyed();
    const first = await test.call("POST", "/run/none_abcd", {}, headers);
    const again = await test.call("POST", "/run/none_abcd", {}, headers);
    expect([first.status, first.headers.has("idempotent-replay")]).toEqual([404, false]);
    expect([again.text, again.headers.get("idempotent-replay")]).toEqual([first.text, "true"]);
    expect(again.headers.get("content-type")).toBe("application/problem+json");
  });

  it("replays the response after the tool was archived", async () => {
    const gone = await test.makeTool("export default () => ({ here: true })");
    const headers = keyed();
    const first = await test.call("POST", `/run/${gone}`, {}, headers);
    expect((await test.call("DELETE", `/tools/${gone}`)).status).toBe(204);
    expect((await test.call("POST", `/run/${gone}`, {}, headers)).text).toBe(first.text);
    expect((await test.call("POST", `/run/${gone}`, { x: 1 }, headers)).status).toBe(422);
  });

  it("does not apply to another API key of the same user", async () => {
    const headers = keyed();
    const draft = { name: "Second", scopes: ["mcp:execute"] };
    const { body: second } = await test.callAsOwner("POST", "/api-keys", draft);
    const first = await test.call("POST", `/run/${echo}`, { a: 1 }, headers);
    const other = await test.call(
      "POST",
      `/run/${echo}`,
      { a: 2 },
      { ...headers, authorization: `Bearer ${second.key}` },
    );
    expect(other.status).toBe(200);
    expect(other.headers.has("idempotent-replay")).toBe(false);
    expect(other.body.runId).not.toBe(first.body.runId);
  });

  it("expires a day after the first request", async () => {
    const { db, config } = test.service.context;
    const headers = keyed();
    const first = await test.call("POST", `/run/${echo}`, { a: 1 }, headers);
    const age = async (ms: number) =>
      db.kysely
        .updateTable("idempotency_records")
        .set((set) => ({ created_at: set("created_at", "-", ms) }))
        .where("run_id", "=", first.body.runId)
        .execute();
    await age(config.IDEMPOTENCY_RETENTION_MS - 60_000);
    expect((await test.call("POST", `/run/${echo}`, { a: 1 }, headers)).text).toBe(first.text);
    await age(61_000);
    const later = await test.call("POST", `/run/${echo}`, { a: 2 }, headers);
    expect([later.status, later.headers.has("idempotent-replay")]).toEqual([200, false]);
    expect(later.body.runId).not.toBe(first.body.runId);
  });
});

describe("the rate limit on runs", () => {
  it("counts runs but not replays", async () => {
    const limited = await startTestService({ RATE_LIMIT_RUNS_PER_MINUTE: "3" });
    try {
      const name = await limited.makeTool("export default () => ({})");
      const headers = keyed();
      for (let time = 0; time < 6; time++) {
        const { status } = await limited.call("POST", `/run/${name}`, {}, headers);
        expect(status).toBe(200);
      }
      const others = [];
      for (let time = 0; time < 3; time++) {
        others.push((await limited.call("POST", `/run/${name}`, {})).status);
      }
      expect(others).toEqual([200, 200, 429]);
      expect((await limited.call("POST", `/run/${name}`, {}, headers)).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});

describe("Idempotency-Key of another write", () => {
  it("saves a tool once, and replays its Location", async () => {
    const headers = keyed();
    const draft = {
      title: "Once",
      description: "Saved once.",
      inputSchema: { type: "object" },
      source: { language: "javascript", code: "export default () => ({})" },
    };
    const first = await test.call("POST", "/tools", draft, headers);
    const again = await test.call("POST", "/tools", draft, headers);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(again.headers.get("idempotent-replay")).toBe("true");
    const patch = { description: "Changed." };
    const changeKey = keyed();
    const changed = await test.call("PATCH", `/tools/${first.body.name}`, patch, changeKey);
    expect(changed.body.version).toBe(2);
    const same = await test.call("PATCH", `/tools/${first.body.name}`, patch, changeKey);
    expect(same.text).toBe(changed.text);
    expect((await test.call("GET", `/tools/${first.body.name}`)).text).toBe(changed.text);
    const endKey = keyed();
    const ends = [
      await test.call("DELETE", `/tools/${first.body.name}`, undefined, endKey),
      await test.call("DELETE", `/tools/${first.body.name}`, undefined, endKey),
    ];
    expect(ends.map(({ status }) => status)).toEqual([204, 204]);
  });

  it("accepts one of two simultaneous saves, and returns 409 for the other", async () => {
    const headers = keyed();
    const draft = {
      title: "Race",
      description: "Saved once.",
      inputSchema: { type: "object" },
      source: { language: "javascript", code: "export default () => ({})" },
    };
    const answers = await Promise.all([
      test.call("POST", "/tools", draft, headers),
      test.call("POST", "/tools", draft, headers),
      test.call("POST", "/tools", draft, headers),
    ]);
    const { body: tools } = await test.call("GET", "/tools?q=Race");
    expect(tools).toHaveLength(1);
    const outcomes = answers.map(({ status, body }) => (status === 201 ? body.name : body.code));
    expect(outcomes).toContain(tools[0].name);
    expect(
      outcomes.every((outcome) => [tools[0].name, "idempotency_in_flight"].includes(outcome)),
    ).toBe(true);
  });

  it("is released when the build fails", async () => {
    const headers = keyed();
    const draft = (code: string) => ({
      title: "Broken",
      description: "Does not build at first.",
      inputSchema: { type: "object" },
      source: { language: "javascript", code },
    });
    expect((await test.call("POST", "/tools", draft("export default ("), headers)).status).toBe(
      400,
    );
    const corrected = await test.call(
      "POST",
      "/tools",
      draft("export default () => ({})"),
      headers,
    );
    expect(corrected.status).toBe(201);
  });

  it("replays a secret that is stored encrypted", async () => {
    const key = randomUUID();
    const call = () =>
      fetch(`${test.baseUrl}/api/v1/api-keys`, {
        method: "POST",
        headers: {
          cookie: test.cookie,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: JSON.stringify({ name: "Shown once", scopes: ["mcp:read"] }),
      });
    const first = await (await call()).text();
    const again = await call();
    expect(again.headers.get("idempotent-replay")).toBe("true");
    expect(await again.text()).toBe(first);
    const secret = (JSON.parse(first) as { key: string }).key;
    const rows = await test.service.context.db.kysely
      .selectFrom("idempotency_records")
      .selectAll()
      .execute();
    expect(rows.some(({ id }) => id.endsWith(key))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  /** Inserts the record of a request that a node serves. */
  const insertRecord = (name: string, nodeId: string) =>
    test.service.context.db.kysely
      .insertInto("idempotency_records")
      .values({
        id: `key:x/${name}`,
        workspace_id: test.workspaceId,
        fingerprint: "f",
        node_id: nodeId,
        claim: "old",
        run_id: null,
        created_at: Date.now(),
        status: null,
        headers: "{}",
        body: null,
        is_encrypted: 0,
      })
      .execute();
  const requestOf = (name: string, claim: string) => ({
    recordId: `key:x/${name}`,
    workspaceId: test.workspaceId,
    fingerprint: "f",
    claim,
  });

  it("is taken over from an offline node, whose late response is discarded", async () => {
    const { context } = test.service;
    await insertRecord("other", "a node that died");
    const { findResponse, saveResponse } = await import("#core/kernel");
    const request = requestOf("other", "new");
    expect(await findResponse(context, request)).toBeUndefined();
    const late = { status: 200, headers: {}, body: "late" };
    await saveResponse(context, requestOf("other", "old"), late, false);
    expect(await findResponse(context, request)).toBeUndefined();
  });

  // SQLite has one node, whose heartbeat does not matter, so this can fail only with PostgreSQL.
  it("is not taken over from this node while its heartbeat is late", async () => {
    const { context } = test.service;
    await insertRecord("own", context.nodeId);
    const setSeen = (seenAt: number) =>
      context.db.kysely
        .updateTable("nodes")
        .set({ seen_at: seenAt })
        .where("id", "=", context.nodeId)
        .execute();
    const { findResponse } = await import("#core/kernel");
    await setSeen(0);
    try {
      const response = findResponse(context, requestOf("own", "new"));
      await expect(response).rejects.toMatchObject({ code: "idempotency_in_flight" });
    } finally {
      await setSeen(Date.now());
    }
  });
});
