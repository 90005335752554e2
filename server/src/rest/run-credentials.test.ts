import type { RequestListener } from "node:http";
import { plainUpstream } from "@toolhost/sandbox/testing";
import type { Upstream } from "@toolhost/sandbox/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const secret = "sk-live-0123456789abcdef";
let received: string[] = [];
let upstream: Upstream;
/** Called with the response to a request to `/held`, to send it later. */
let onHeld: (letGo: () => void) => void = (letGo) => letGo();
const listener: RequestListener = (request, response) => {
  received.push(String(request.headers.authorization));
  const answer = () => response.end(JSON.stringify({ youSent: request.headers.authorization }));
  if (request.url === "/held") onHeld(answer);
  else answer();
};

let test: TestService;
let host: string;
beforeAll(async () => {
  upstream = await plainUpstream(listener);
  host = `http://127.0.0.1:${upstream.port}`;
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: `127.0.0.1:${upstream.port}` });
});
afterAll(async () => {
  await test.stop();
  upstream.close();
});

const code = `export default async ({ url }, ctx) => {
  console.log("the key is", ctx.credentials.SERVICE_KEY);
  const response = await fetch(url, { headers: { authorization: "Bearer " + ctx.credentials.SERVICE_KEY } });
  const text = await response.text();
  console.log("answer", text);
  ctx.progress(1, text);
  return { text, key: ctx.credentials.SERVICE_KEY };
};`;

const needsKey = () => ({
  allowedHosts: [host],
  credentials: [{ name: "SERVICE_KEY", hosts: [host] }],
});

const keep = (more: object = {}, headers: Record<string, string> = {}) =>
  test.call(
    "POST",
    "/credentials",
    { name: "SERVICE_KEY", value: secret, hosts: [host], ...more },
    headers,
  );

describe("tool that declares a credential", () => {
  it("does not run without the credential, and releases the Idempotency-Key", async () => {
    const name = await test.makeTool(code, needsKey());
    const headers = { "idempotency-key": "11111111-1111-4111-8111-111111111111" };
    const before = await test.call("POST", `/run/${name}`, { url: host }, headers);
    expect([before.status, before.body.code]).toEqual([422, "credentials_missing"]);
    expect(before.body.missing).toMatchObject([{ name: "SERVICE_KEY" }]);
    await keep();
    const after = await test.call("POST", `/run/${name}`, { url: host }, headers);
    expect(after.body.status).toBe("completed");
    await test.call("DELETE", "/credentials/SERVICE_KEY");
  });

  it("sends the value to its host, and never returns or stores it", async () => {
    await keep();
    received = [];
    const name = await test.makeTool(code, needsKey());
    const { body, text } = await test.call("POST", `/run/${name}`, { url: host });
    expect(body.status).toBe("completed");
    expect(received).toEqual([`Bearer ${secret}`]);
    expect(body.output.text).toContain("[redacted SERVICE_KEY]");
    expect(body.output.key).toMatch(/^th_credential_/);
    const seen = await Promise.all([
      test.call("GET", `/runs/${body.runId}`),
      test.call("GET", `/runs/${body.runId}/logs`),
      test.call("GET", `/audit-events?target=${body.runId}`),
    ]);
    for (const one of [text, ...seen.map((answer) => answer.text)]) {
      expect(one).not.toContain(secret);
    }
    expect(seen[1]?.text).toContain("[redacted SERVICE_KEY]");
    expect(seen[2]?.body[0].details.credentials).toBe("SERVICE_KEY");
    const { db } = test.service.context;
    const kept = await db.kysely.selectFrom("idempotency_records").selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(secret);
    await test.call("DELETE", "/credentials/SERVICE_KEY");
  });

  it("is rejected before a run is created if the values are too long in total", async () => {
    const names = ["LONG_A", "LONG_B", "LONG_C"];
    const long = "\u{1f600}".repeat(4_000);
    for (const name of names) expect((await keep({ name, value: long })).status).toBe(201);
    expect((await keep({ name: "TOO_LONG", value: `${long}${long}` })).status).toBe(400);
    const tool = await test.makeTool("export default () => ({})", {
      allowedHosts: [host],
      credentials: names.map((name) => ({ name })),
    });
    const { status, body } = await test.call("POST", `/run/${tool}`, {});
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(body.detail).toContain("48000 bytes in total; a run may use 32768");
    for (const name of names) await test.call("DELETE", `/credentials/${name}`);
  });

  it("records which credentials a run used, and how often each was sent to which host", async () => {
    await keep();
    await keep({ name: "SHARED_KEY", owner: "workspace", exposable: true });
    const twice = `export default async ({ url }, ctx) => {
      const { SERVICE_KEY } = ctx.credentials;
      const headers = { authorization: ctx.authorization.bearer(SERVICE_KEY) };
      await fetch(url, { headers });
      await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify([SERVICE_KEY, SERVICE_KEY]) });
      if (url.endsWith("?throw")) throw new Error("no");
      return {};
    };`;
    const name = await test.makeTool(twice, {
      allowedHosts: [host],
      credentials: [{ name: "SERVICE_KEY" }, { name: "SHARED_KEY", expose: true }],
    });
    for (const url of [host, `${host}/?throw`]) {
      const { body } = await test.call("POST", `/run/${name}`, { url });
      const record = await test.call("GET", `/runs/${body.runId}`);
      expect(record.body.credentials).toEqual([
        {
          name: "SERVICE_KEY",
          owner: "user",
          exposed: false,
          hosts: [{ host: host.replace("http://", ""), count: 3 }],
        },
        { name: "SHARED_KEY", owner: "workspace", exposed: true, hosts: [] },
      ]);
    }
    const bare = await test.makeTool("export default () => ({});");
    const { body } = await test.call("POST", `/run/${bare}`, {});
    expect((await test.call("GET", `/runs/${body.runId}`)).body.credentials).toEqual([]);
    await test.call("DELETE", "/credentials/SERVICE_KEY");
    await test.call("DELETE", "/credentials/SHARED_KEY?owner=workspace");
  });

  it("uses a replaced value from the next run on; a run in progress uses the old one", async () => {
    await keep();
    const name = await test.makeTool(
      `export default async ({ urls }, ctx) => {
        const headers = { authorization: "Bearer " + ctx.credentials.SERVICE_KEY };
        for (const url of urls) await (await fetch(url, { headers })).text();
        return {};
      }`,
      needsKey(),
    );
    received = [];
    const atWork = test.call("POST", `/run/${name}`, { urls: [`${host}/held`, host] });
    const letGo = await new Promise<() => void>((resolve) => (onHeld = resolve));
    const replaced = await test.call("PUT", "/credentials/SERVICE_KEY", { value: "sk-live-next" });
    expect(replaced.status).toBe(200);
    const next = await test.call("POST", `/run/${name}`, { urls: [host] });
    letGo();
    expect([next.body.status, (await atWork).body.status]).toEqual(["completed", "completed"]);
    expect(received).toEqual([`Bearer ${secret}`, "Bearer sk-live-next", `Bearer ${secret}`]);
    await test.call("DELETE", "/credentials/SERVICE_KEY");
  });

  it("gets a new placeholder in each run", async () => {
    await keep();
    const name = await test.makeTool(code, needsKey());
    const keys = [];
    for (let time = 0; time < 3; time++) {
      keys.push((await test.call("POST", `/run/${name}`, { url: host })).body.output.key);
    }
    expect(new Set(keys).size).toBe(3);
    await test.call("DELETE", "/credentials/SERVICE_KEY");
  });

  it("prefers the credential of the caller over that of the workspace", async () => {
    await keep({ value: "of-the-workspace", owner: "workspace" });
    const name = await test.makeTool(code, needsKey());
    received = [];
    await test.call("POST", `/run/${name}`, { url: host });
    await keep({ value: "of-the-caller" });
    await test.call("POST", `/run/${name}`, { url: host });
    const { apiKey } = await test.addPerson(test.workspaceId, "member");
    await test.call("POST", `/run/${name}`, { url: host }, { authorization: `Bearer ${apiKey}` });
    expect(received).toEqual([
      "Bearer of-the-workspace",
      "Bearer of-the-caller",
      "Bearer of-the-workspace",
    ]);
    await test.call("DELETE", "/credentials/SERVICE_KEY?owner=user");
    await test.call("DELETE", "/credentials/SERVICE_KEY?owner=workspace");
  });

  it("fails to send the value to a host that the credential does not name", async () => {
    await keep({ hosts: ["api.example.com"] });
    received = [];
    const name = await test.makeTool(code, needsKey());
    const { body } = await test.call("POST", `/run/${name}`, { url: host });
    expect(body).toMatchObject({ status: "failed", error: { code: "egress_denied" } });
    expect(body.error.message).toContain(
      "the credential SERVICE_KEY is not allowed for this host. Add the host to the credential's hosts",
    );
    expect(received).toEqual([]);
    await test.call("DELETE", "/credentials/SERVICE_KEY");
  });

  it("gets the value itself only with `expose`", async () => {
    await keep({ exposable: true });
    const name = await test.makeTool(
      "export default (i, ctx) => { const v = ctx.credentials.SERVICE_KEY; return { length: v.length, v }; }",
      { credentials: [{ name: "SERVICE_KEY", expose: true }] },
    );
    const { body } = await test.call("POST", `/run/${name}`, {});
    expect(body.output).toEqual({ length: secret.length, v: "[redacted SERVICE_KEY]" });
    await test.call("DELETE", "/credentials/SERVICE_KEY");
  });

  it("returns and stores no value behind a second field of the same name", async () => {
    await keep({ exposable: true });
    const name = await test.makeTool(
      `export default (input, ctx) => {
        const text = '{"v":"' + ctx.credentials.SERVICE_KEY + '","v":"' + "x".repeat(400000) + '"}';
        const Answer = Response;
        Response.prototype.then = (resolve) => {
          delete Answer.prototype.then;
          resolve(new Answer(text, { headers: { "x-outcome": "completed" } }));
        };
        return "x".repeat(400000);
      }`,
      { credentials: [{ name: "SERVICE_KEY", expose: true }], isolation: "fresh" },
    );
    const { body, text } = await test.call("POST", `/run/${name}`, {});
    expect(body.output.v).toHaveLength(400_000);
    expect(text).not.toContain(secret);
    expect((await test.call("GET", `/runs/${body.runId}`)).text).not.toContain(secret);
    const { db } = test.service.context;
    const row = await db.kysely
      .selectFrom("runs")
      .select("output")
      .where("id", "=", body.runId as string)
      .executeTakeFirstOrThrow();
    expect(row.output).not.toContain(secret);
    await test.call("DELETE", "/credentials/SERVICE_KEY");
  });
});
