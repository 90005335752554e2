import { setTimeout as sleep } from "node:timers/promises";
import type { RawCreateToolInput } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recoverOrphanedRuns } from "../recovery/recover-orphaned-runs.ts";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let asker: string;
beforeAll(async () => {
  test = await startTestService();
  asker = await makeAsker();
});
afterAll(() => test.stop());

const schema = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 2, maxLength: 20 },
    size: { type: "string", enum: ["s", "m"], enumNames: ["Small", "Medium"] },
  },
  required: ["city"],
};

/** A tool that asks what its input says, and returns the answer or the error. */
const fieldOf = (name: string, rest: object = {}) => ({
  type: "object",
  properties: { [name]: { type: "string", ...rest } },
});
const makeAsker = (rest: Partial<RawCreateToolInput> = {}) =>
  test.makeTool(
    `export default async ({ question, times = 1 }, ctx) => {
      const answers = [];
      for (let n = 0; n < times; n++) {
        answers.push(await ctx.ask(question).catch(({ code, message }) => ({ code, message })));
      }
      return { answers };
    }`,
    rest,
  );

const ask = async (input: object = { question: { message: "Where to?", schema } }, tool = asker) =>
  (await test.call("POST", `/run/${tool}`, input)).body;
const answer = (runId: string, body: object, headers = {}) =>
  test.call("POST", `/runs/${runId}/answers`, body, headers);
const recordOf = async (runId: string) => (await test.call("GET", `/runs/${runId}`)).body;
const endOf = async (runId: string) => {
  await expect
    .poll(async () => (await recordOf(runId)).status, { timeout: 10_000 })
    .not.toBe("running");
  return recordOf(runId);
};
const accept = (questionId: string, content: object) => ({ questionId, action: "accept", content });
const rowOf = (runId: string) =>
  test.service.context.db.kysely
    .selectFrom("runs")
    .select(["question", "sealed_answer"])
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();

describe("ctx.ask", () => {
  it("ends the wait of POST /run with the question, and resolves to the answer", async () => {
    const started = await ask();
    expect(started).toMatchObject({ status: "running", question: { message: "Where to?" } });
    const { runId, question } = started;
    expect(question.schema.properties.size).toEqual({
      type: "string",
      oneOf: [
        { const: "s", title: "Small" },
        { const: "m", title: "Medium" },
      ],
    });
    expect(await recordOf(runId)).toMatchObject({ status: "running", question });
    const [listed] = (await test.call("GET", "/runs?limit=1")).body;
    expect(listed).toMatchObject({ runId, question });
    const content = { city: "Oslo", size: "m" };
    const answered = await answer(runId, accept(question.id, content));
    expect(answered).toMatchObject({ status: 200, body: { runId, status: "running" } });
    expect(answered.body).not.toHaveProperty("question");
    const ended = await endOf(runId);
    expect(ended.output).toEqual({ answers: [{ action: "accept", content }] });
    expect(ended).not.toHaveProperty("question");
    expect(await rowOf(runId)).toEqual({ question: null, sealed_answer: null });
  });

  it.each(["decline", "cancel"])("resolves to %s without content", async (action) => {
    const { runId, question } = await ask();
    await answer(runId, { questionId: question.id, action, content: { city: "Oslo" } });
    expect((await endOf(runId)).output).toEqual({ answers: [{ action }] });
  });

  it("replays the response with the question for the same Idempotency-Key", async () => {
    const input = { question: { message: "Where to?", schema } };
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await test.call("POST", `/run/${asker}`, input, headers);
    expect(first.body.question).toBeDefined();
    const again = await test.call("POST", `/run/${asker}`, input, headers);
    expect(again.text).toBe(first.text);
    await test.call("POST", `/runs/${first.body.runId}/cancel`);
  });

  it("resolves to cancel before the run reaches its time limit", async () => {
    const hasty = await makeAsker({ timeoutMs: 2_500 });
    const { runId, question } = await ask(undefined, hasty);
    expect((await endOf(runId)).output).toEqual({ answers: [{ action: "cancel" }] });
    const late = await answer(runId, accept(question.id, { city: "Oslo" }));
    expect(late).toMatchObject({ status: 409, body: { code: "question_closed" } });
  });

  it("ends with the run when that is cancelled", async () => {
    const { runId, question } = await ask();
    expect((await test.call("POST", `/runs/${runId}/cancel`)).body.status).toBe("cancelled");
    expect(await recordOf(runId)).not.toHaveProperty("question");
    expect(await rowOf(runId)).toEqual({ question: null, sealed_answer: null });
    expect((await answer(runId, accept(question.id, { city: "Oslo" }))).status).toBe(409);
  });

  it("is closed after a restart, which ends the run", async () => {
    const { runId } = await ask();
    await test.restart();
    const ended = await endOf(runId);
    expect(ended.status).toBe("failed");
    expect(ended).not.toHaveProperty("question");
  });

  it("is closed when the run is recovered, and asked again by an idempotent tool", async () => {
    const { runId, question } = await ask();
    const idempotent = await makeAsker({ idempotent: true });
    const other = await ask(undefined, idempotent);
    await recoverOrphanedRuns(test.service.context, ["another-node"]);
    const ended = await recordOf(runId);
    expect(ended.status).toBe("failed");
    expect(ended).not.toHaveProperty("question");
    expect((await answer(runId, accept(question.id, { city: "Oslo" }))).status).toBe(409);
    await expect.poll(async () => (await recordOf(other.runId)).attempt).toBe(2);
    await expect.poll(async () => (await recordOf(other.runId)).question).toBeDefined();
    const again = (await recordOf(other.runId)).question;
    expect(again.id).not.toBe(other.question.id);
    const stale = accept(other.question.id, { city: "Oslo" });
    expect((await answer(other.runId, stale)).status).toBe(409);
    await answer(other.runId, { questionId: again.id, action: "decline" });
    expect((await endOf(other.runId)).output).toEqual({ answers: [{ action: "decline" }] });
  });

  it("asks at most ten questions in a run", async () => {
    const question = { message: "Again?", schema: { type: "object", properties: {} } };
    const started = await ask({ question, times: 11 });
    const { runId } = started;
    let id = started.question.id;
    for (let n = 0; n < 10; n++) {
      await answer(runId, accept(id, {}));
      const { body } = await test.call("GET", `/runs/${runId}`, undefined, { prefer: "wait=10" });
      id = body.question?.id;
    }
    const { answers } = (await endOf(runId)).output;
    expect(answers.slice(0, 10)).toEqual(
      Array.from({ length: 10 }, () => ({ action: "accept", content: {} })),
    );
    expect(answers[10]).toMatchObject({ code: "forbidden" });
  });

  it("refuses a second question while one is open", async () => {
    const double = await test.makeTool(`export default async ({ question }, ctx) => {
      const first = ctx.ask(question);
      const second = ctx.ask(question);
      const message = await Promise.race([first, second]).catch((error) => error.message);
      return { message };
    }`);
    const question = { message: "Where to?", schema };
    const { runId } = await ask({ question }, double);
    expect((await endOf(runId)).output.message).toContain("one question at a time");
  });

  it.each([
    ["a missing message", { schema }, "message"],
    ["an empty message", { message: " ", schema }, "message"],
    ["a long message", { message: "x".repeat(2_001), schema }, "2000 characters"],
    ["a large schema", { message: "?", schema: { ...schema, title: "x".repeat(9_000) } }, "8192"],
    ["no schema", { message: "?" }, "/schema"],
    [
      "a nested object",
      {
        message: "?",
        schema: { type: "object", properties: { a: { type: "object", properties: {} } } },
      },
      "/schema/properties/a",
    ],
    [
      "a reference",
      { message: "?", schema: { type: "object", properties: { a: { $ref: "#" } } } },
      "/schema/properties/a",
    ],
    [
      "a list of anything",
      {
        message: "?",
        schema: { type: "object", properties: { a: { type: "array", items: { type: "string" } } } },
      },
      "/schema/properties/a",
    ],
    [
      "an unknown required field",
      { message: "?", schema: { type: "object", properties: {}, required: ["a"] } },
      "requires a",
    ],
    [
      "invisible characters in a choice",
      {
        message: "?",
        schema: { type: "object", properties: { a: { type: "string", enum: ["x\u202e", "y"] } } },
      },
      "invisible",
    ],
    ["an invisible message", { message: "\u200b\u0007", schema }, "message"],
    ...["password1", "2fa", "cookie", "bank_pin", "cardnumber", "p\u0430ssword"].map(
      (name): [string, object, string] => [
        `a field named ${name}`,
        { message: "?", schema: fieldOf(name) },
        "requests a secret",
      ],
    ),
    [
      "a title that requests a secret",
      { message: "?", schema: fieldOf("a", { title: "Your password please" }) },
      "secret",
    ],
    [
      "a description that requests a secret",
      { message: "?", schema: fieldOf("a", { description: "Enter your password / API key here" }) },
      "The field a requests a secret",
    ],
    [
      "a message that requests a secret",
      { schema: fieldOf("a"), message: "Please enter your AWS secret key" },
      "The message requests a secret",
    ],
    [
      "an integer that is a secret",
      { message: "?", schema: fieldOf("a", { type: "integer", title: "PIN" }) },
      "secret",
    ],
    ["a huge question", { message: "x".repeat(50_000), schema }, "exceeds 32768 bytes"],
  ])("rejects %s", async (_, question, reason) => {
    const { status, output } = await ask({ question });
    expect(status).toBe("completed");
    expect(output.answers[0].message).toContain(reason);
  });

  it("shows no invisible characters, and accepts fields whose names resemble secrets", async () => {
    const a = { type: "string", title: "A\u202eb", description: "\u0007c", default: "d\u200be" };
    const harmless = { maxTokens: { type: "integer" }, pinned: { type: "string" } };
    const properties = { a, ...harmless };
    const question = {
      message: "Go\u202e?\u001b[31m Reset the password?",
      schema: { type: "object", properties },
    };
    const { runId, question: shown } = await ask({ question });
    expect(shown.message).toBe("Go?[31m Reset the password?");
    const cleaned = { type: "string", title: "Ab", description: "c", default: "de" };
    expect(shown.schema.properties).toEqual({ a: cleaned, ...harmless });
    await test.call("POST", `/runs/${runId}/cancel`);
  });

  it("rejects what is no JSON", async () => {
    const odd = await test.makeTool(`export default async (input, ctx) => {
      const said = [];
      for (const question of [undefined, { message: "?", schema: { n: 1n } }])
        await ctx.ask(question).catch((error) => said.push(error.name));
      return { said };
    }`);
    expect((await ask({}, odd)).output).toEqual({ said: ["TypeError", "TypeError"] });
  });

  it("resolves to cancel in a child run and in a batch", async () => {
    const parent = await test.makeTool(
      "export default ({ name, input }, ctx) => ctx.tools.run(name, input);",
    );
    const input = { question: { message: "Where to?", schema } };
    const { output } = await ask({ name: asker, input }, parent);
    expect(output).toEqual({ answers: [{ action: "cancel" }] });
    const batch = await test.call("POST", "/run-batches", { toolName: asker, inputs: [input] });
    const [run] = (await test.call("GET", `/runs?batchId=${batch.body.batchId}`)).body;
    expect((await endOf(run.runId)).output).toEqual({ answers: [{ action: "cancel" }] });
  });

  it("shows no value of a credential in the question", async () => {
    await test.call("POST", "/credentials", {
      name: "ASK_KEY",
      owner: "user",
      value: "secret-value-123456",
      allowedHosts: ["example.com"],
      exposable: true,
    });
    const leaky = await test.makeTool(
      `export default (input, ctx) => ctx.ask({
        message: "Key " + ctx.credentials.ASK_KEY,
        schema: { type: "object", properties: {} },
      });`,
      {
        allowedHosts: ["example.com"],
        credentials: [
          { name: "ASK_KEY", description: "Key", hosts: ["example.com"], expose: true },
        ],
      },
    );
    const started = await ask({}, leaky);
    expect(JSON.stringify(started)).not.toContain("secret-value-123456");
    if (started.runId !== undefined) await test.call("POST", `/runs/${started.runId}/cancel`);
  });
});

describe("POST /runs/:runId/answers", () => {
  it.each([
    [{}, "/city"],
    [{ city: "x" }, "/city"],
    [{ city: "Oslo", size: "xl" }, "/size"],
    [{ city: "Oslo", other: 1 }, "/other"],
  ])("answers 400 for the content %j and leaves the question open", async (content, path) => {
    const { runId, question } = await ask();
    const refused = await answer(runId, accept(question.id, content));
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_input" } });
    expect(refused.body.errors[0].path).toBe(path);
    expect((await recordOf(runId)).question).toEqual(question);
    await test.call("POST", `/runs/${runId}/cancel`);
  });

  it.each([
    [{ action: "accept", content: { city: { nested: true } } }, "/content/city"],
    [{ action: "maybe" }, "/action"],
    [JSON.parse('{"action":"accept","content":{"__proto__":"x"}}'), "/content/__proto__"],
  ])("answers 400 for the body %j", async (body, path) => {
    const { runId, question } = await ask();
    const refused = await answer(runId, { questionId: question.id, ...body });
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(refused.body.errors[0].path).toBe(path);
    await test.call("POST", `/runs/${runId}/cancel`);
  });

  it("answers 409 for a second answer, and replays the first one", async () => {
    const { runId, question } = await ask();
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = accept(question.id, { city: "Oslo" });
    const all = await Promise.all([
      answer(runId, body, headers),
      answer(runId, accept(question.id, { city: "Rome" })),
    ]);
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const isFirst = all[0].status === 200;
    const replay = await answer(runId, body, headers);
    expect(replay.text).toBe(all[0].text);
    const city = isFirst ? "Oslo" : "Rome";
    expect((await endOf(runId)).output.answers[0].content).toEqual({ city });
  });

  it("answers 404 to another user, also to an admin", async () => {
    const { runId, question } = await ask();
    const { apiKey } = await test.addPerson(test.workspaceId, "admin");
    const headers = { authorization: `Bearer ${apiKey}` };
    const seen = await test.call("GET", `/runs/${runId}`, undefined, headers);
    expect(seen.body.question).toEqual(question);
    const refused = await answer(runId, accept(question.id, { city: "Oslo" }), headers);
    expect(refused).toMatchObject({ status: 404, body: { code: "run_not_found" } });
    const { apiKey: outsider } = await test.addPerson(await test.addWorkspace(), "owner");
    const other = { authorization: `Bearer ${outsider}` };
    expect((await answer(runId, accept(question.id, { city: "Oslo" }), other)).status).toBe(404);
    await test.call("POST", `/runs/${runId}/cancel`);
  });

  it("is audited without the content", async () => {
    const { runId, question } = await ask();
    await answer(runId, accept(question.id, { city: "Reykjavik" }));
    await endOf(runId);
    const { body } = await test.call("GET", `/audit-events?target=${runId}&action=run.answer`);
    expect(body).toMatchObject([
      { action: "run.answer", details: { questionId: question.id, answer: "accept" } },
    ]);
    expect(JSON.stringify(body)).not.toContain("Reykjavik");
  });
});

describe("GET /runs/:runId/logs as an event stream", () => {
  it("has an event when a question opens and when it is closed", async () => {
    const { runId, question } = await ask();
    const response = await fetch(`${test.baseUrl}/api/v1/runs/${runId}/logs`, {
      headers: { authorization: `Bearer ${test.apiKey}`, accept: "text/event-stream" },
    });
    const text = response.text();
    await sleep(300);
    await answer(runId, accept(question.id, { city: "Oslo" }));
    const events = [...(await text).matchAll(/^event: (.*)\ndata: (.*)$/gm)];
    expect(events.map(([, name]) => name).filter((name) => name !== "question")).toEqual(["end"]);
    const questions = events
      .filter(([, name]) => name === "question")
      .map(([, , data]) => JSON.parse(data ?? ""));
    expect(questions[0]).toEqual(question);
    expect(questions.slice(1).every((each) => each === null)).toBe(true);
  });
});
