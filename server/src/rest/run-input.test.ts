import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const secret = "sk-live-0123456789";
const pin = "74839265";
let test: TestService;
beforeAll(async () => {
  test = await startTestService({ WORKSPACE_MAX_CONCURRENT_RUNS: "1" });
  for (const [name, value] of [
    ["SERVICE_KEY", secret],
    ["PIN", pin],
  ]) {
    await test.call("POST", "/credentials", { name, value, hosts: ["api.example.com"] });
  }
});
afterAll(() => test.stop());

const rowOf = (runId: string) =>
  test.service.context.db.kysely
    .selectFrom("runs")
    .select(["input", "sealed_input", "status"])
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();

describe("stored input of a run", () => {
  it("contains no values of the credentials of the run, however they were sent", async () => {
    const name = await test.makeTool(
      "export default (input) => ({ fits: input.text.length === 22 && input.list.length === 3 })",
      { credentials: [{ name: "SERVICE_KEY" }, { name: "PIN" }] },
    );
    const input = {
      text: `the ${secret}`,
      list: [
        encodeURIComponent(secret),
        Number(pin),
        { [secret]: Buffer.from(secret).toString("base64") },
      ],
    };
    const { body, text } = await test.call("POST", `/run/${name}`, input);
    expect(body).toMatchObject({ status: "completed", output: { fits: true } });
    const record = await test.call("GET", `/runs/${body.runId}`);
    expect(record.body.input).toEqual({
      text: "the [redacted SERVICE_KEY]",
      list: [
        "[redacted SERVICE_KEY]",
        "[redacted]",
        { "[redacted SERVICE_KEY]": "[redacted SERVICE_KEY]" },
      ],
    });
    const list = await test.call("GET", "/runs");
    const stored = JSON.stringify(await rowOf(body.runId));
    for (const shown of [text, record.text, list.text, stored]) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(pin);
    }
  });

  it("redacts fields marked as secret, which the tool receives in full", async () => {
    const name = await test.makeTool(
      "export default ({ user, password }) => ({ n: password.length + user.length })",
      {
        inputSchema: {
          type: "object",
          properties: {
            user: { type: "string" },
            password: { type: "string", format: "password" },
          },
        },
      },
    );
    const { body } = await test.call("POST", `/run/${name}`, { user: "ada", password: "hunter22" });
    expect(body.output).toEqual({ n: 11 });
    const record = await test.call("GET", `/runs/${body.runId}`);
    expect(record.body.input).toEqual({ user: "ada", password: "[redacted]" });
    expect(await rowOf(body.runId)).toMatchObject({ sealed_input: null });
  });

  it("is the only copy of a queued run in the database, besides an encrypted one until it finishes", async () => {
    const name = await test.makeTool(
      "export default async ({ ms, key }) => { await new Promise((done) => setTimeout(done, ms)); return { n: key?.length ?? 0 }; }",
      {
        inputSchema: {
          type: "object",
          properties: { ms: { type: "integer" }, key: { type: "string", writeOnly: true } },
        },
      },
    );
    const later = { prefer: "respond-async" };
    await test.call("POST", `/run/${name}`, { ms: 1_500 }, later);
    const queued = await test.call("POST", `/run/${name}`, { ms: 1, key: "hunter22" }, later);
    expect(queued.body).toMatchObject({ status: "running", queued: true });
    const waiting = await rowOf(queued.body.runId);
    expect(waiting).toMatchObject({ input: '{"ms":1,"key":"[redacted]"}', status: "running" });
    expect(waiting.sealed_input).toMatch(/^[A-Za-z0-9+/=]+$/);
    expect(Buffer.from(waiting.sealed_input ?? "", "base64").toString("latin1")).not.toContain(
      "hunter22",
    );
    await expect
      .poll(async () => (await test.call("GET", `/runs/${queued.body.runId}`)).body, {
        timeout: 20_000,
      })
      .toMatchObject({ status: "completed", output: { n: 8 } });
    expect(await rowOf(queued.body.runId)).toMatchObject({ sealed_input: null });
  });
});
