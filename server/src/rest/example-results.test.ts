import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const code = "export default ({ n }) => ({ double: n * 2 });";
const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const definition = (more: object = {}) => ({
  ...draftOf(code),
  inputSchema: schema,
  outputSchema: { properties: [{ name: "double", type: "number" }] },
  ...more,
});
const createDraft = async (body: object): Promise<string> => {
  const { status, body: draft, text } = await test.call("POST", "/drafts", body);
  if (status !== 201) throw new Error(text);
  return draft.id;
};
const record = (id: string, revision: number, statuses: readonly string[]) =>
  test.call("PUT", `/drafts/${id}/example-results`, {
    revision,
    results: statuses.map((status, example) => ({ example, status })),
  });
const publish = async (id: string, revision = 1) => {
  const { body, text, status } = await test.call("POST", `/drafts/${id}/publish`, { revision });
  if (status > 201) throw new Error(text);
  return body as { name: string; version: number };
};

describe("example results", () => {
  it("returns the latest five, newest first", async () => {
    const id = await createDraft({ definition: definition() });
    for (let round = 0; round < 6; round++) {
      expect((await record(id, 1, ["passed", round === 5 ? "failed" : "passed"])).status).toBe(200);
    }
    const { body } = await test.call("GET", `/drafts/${id}/example-results`);
    expect(body).toHaveLength(5);
    expect(body[0]).toMatchObject({ revision: 1, passed: 1, failed: 1, skipped: 0 });
    expect(body[0].results[1]).toEqual({ example: 1, status: "failed" });
  });

  it("refuses results of another revision, and of drafts of others", async () => {
    const id = await createDraft({ definition: definition() });
    expect((await record(id, 2, ["passed"])).body.code).toBe("draft_changed");
    const { apiKey } = await test.addPerson(test.workspaceId, "admin");
    const headers = { authorization: `Bearer ${apiKey}` };
    const body = { revision: 1, results: [{ example: 0, status: "passed" }] };
    const path = `/drafts/${id}/example-results`;
    expect((await test.call("PUT", path, body, headers)).body.code).toBe("not_found");
    expect((await test.call("GET", path, undefined, headers)).body.code).toBe("not_found");
    const invalid = { revision: 1, results: [{ example: 0, status: "great" }] };
    expect((await test.call("PUT", path, invalid)).status).toBe(400);
  });

  it("copies the results of the published revision to its version", async () => {
    const id = await createDraft({ definition: definition() });
    await record(id, 1, ["failed"]);
    const saved = { revision: 1, definition: definition({ title: "Doubles" }) };
    await test.call("PUT", `/drafts/${id}`, saved);
    await record(id, 2, ["passed"]);
    const tool = await publish(id, 2);
    const versions = await test.call("GET", `/tools/${tool.name}/versions`);
    expect(versions.body[0].examples).toMatchObject({ passed: 1, failed: 0, skipped: 0 });
    const first = await test.call("GET", `/tools/${tool.name}/versions/1`);
    expect(first.body.exampleResults).toHaveLength(1);
    expect(first.body.exampleResults[0]).toMatchObject({ revision: 2, passed: 1 });

    const next = await createDraft({ toolName: tool.name, definition: definition() });
    await record(next, 1, ["passed", "skipped"]);
    await publish(next);
    const again = await test.call("GET", `/tools/${tool.name}/versions`);
    expect(again.body.map(({ examples }: { examples: object }) => examples)).toMatchObject([
      { passed: 1, skipped: 1 },
      { passed: 1, skipped: 0 },
    ]);
    await test.call("POST", `/tools/${tool.name}/versions/1/restore`);
    const restored = await test.call("GET", `/tools/${tool.name}/versions/3`);
    expect(restored.body.exampleResults).toEqual(first.body.exampleResults);
  });
});

describe("examples with an expectation", () => {
  it("accepts an invalid input that is expected, and does not show it to agents", async () => {
    const input = { n: "two" };
    const wrong = { input, expect: { type: "failure", code: "tool_error" } };
    const refused = await test.call("POST", "/tools", definition({ examples: [wrong] }));
    expect(refused.body.errors[0].path).toBe("/examples/0/input/n");
    const examples = [
      { input, expect: { type: "failure", code: "invalid_input" } },
      { name: "Two", input: { n: 2 }, output: { double: 4 }, expect: { type: "equal" } },
    ];
    const created = await test.call("POST", "/tools", definition({ examples }));
    expect(created.status).toBe(201);
    expect(created.body.examples).toEqual(examples);
    const skill = await test.call("GET", `/skill/${created.body.name}?format=json`);
    expect(skill.body.examples).toEqual([{ input: { n: 2 }, output: { double: 4 } }]);
  });

  it("requires an output to compare with", async () => {
    const examples = [{ input: { n: 1 }, expect: { type: "equal" } }];
    const { status, body } = await test.call("POST", "/tools", definition({ examples }));
    expect([status, body.errors[0].path]).toEqual([400, "/examples/0/output"]);
  });
});
