import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const paths = ["/a", "/b", "/c", "/d", "/e", "/f"];
const keys = paths.map((path) => `GET ${path}`);

let test: TestService;
let url: string;
let close: () => void;
let summary: string;
/** Runs while the service waits for the document. */
let meanwhile: () => Promise<unknown>;

beforeAll(async () => {
  const answer = (response: ServerResponse) => {
    const get = { summary, responses: { 200: { description: "OK" } } };
    const document = {
      openapi: "3.1.0",
      info: { title: "Letters", version: "1" },
      servers: [{ url: "https://letters.example" }],
      paths: Object.fromEntries(paths.map((path) => [path, { get }])),
    };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(document));
  };
  const http = createServer((_, response) => void meanwhile().then(() => answer(response)));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/openapi.json`;
  close = () => http.close();
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: `127.0.0.1:${port}` });
});
afterAll(async () => {
  await test.stop();
  close();
});

let id: string;
beforeEach(async () => {
  summary = "Get a letter";
  meanwhile = async () => {};
  const created = await test.call("POST", "/imports", {
    kind: "openapi",
    url,
    allowDuplicate: true,
  });
  ({ id } = created.body);
});

const create = async (wanted: readonly string[], body: object = {}) =>
  test.call("POST", `/imports/${id}/tools`, { keys: wanted, ...body });
const statusesOf = (responses: readonly { status: number }[]) =>
  responses.map(({ status }) => status).toSorted((a, b) => a - b);
const resultsOf = (responses: readonly { body: unknown }[]) =>
  responses.flatMap(({ body }) => body as { toolName: string | null; problem: string | null }[]);

describe("imports with concurrent requests", () => {
  it.each([{ publish: true }, { publish: false }])(
    "creates tools of all items with %j",
    async (body) => {
      const responses = await Promise.all(keys.map((key) => create([key], body)));
      expect(statusesOf(responses)).toEqual(keys.map(() => 200));
      expect(resultsOf(responses).map(({ problem }) => problem)).toEqual(keys.map(() => null));
    },
  );

  it.each([{ publish: true }, { publish: false }])(
    "creates one tool of one item with %j, and refuses the others",
    async (body) => {
      const responses = await Promise.all(keys.map(() => create(["GET /a"], body)));
      expect(statusesOf(responses)).toEqual(keys.map(() => 200));
      const results = resultsOf(responses);
      expect(results.filter(({ problem }) => problem === null)).toHaveLength(1);
      const problem = body.publish ? "It is imported already" : "You have a draft of it";
      expect(results.filter((one) => one.problem?.startsWith(problem))).toHaveLength(
        keys.length - 1,
      );
    },
  );

  it("creates as many tools of one item as are wanted with allowDuplicates", async () => {
    const body = { publish: true, allowDuplicates: true };
    const responses = await Promise.all(keys.map(() => create(["GET /a"], body)));
    expect(new Set(resultsOf(responses).map(({ toolName }) => toolName)).size).toBe(keys.length);
  });

  it("publishes all drafts, and returns 409 for all but one of the same item", async () => {
    const drafts = async (wanted: readonly string[], body: object = {}) =>
      (await create(wanted, body)).body.map(({ draftId }: { draftId: string }) => draftId);
    const all: string[] = await drafts(keys.slice(1));
    const same: string[] = [
      ...(await drafts(["GET /a"])),
      ...(await drafts(["GET /a"], { allowDuplicates: true })),
      ...(await drafts(["GET /a"], { allowDuplicates: true })),
    ];
    const publish = async (draftId: string) =>
      test.call("POST", `/drafts/${draftId}/publish`, { revision: 1 });
    const [others, ofOne] = await Promise.all([
      Promise.all(all.map(publish)),
      Promise.all(same.map(publish)),
    ]);
    expect(statusesOf(others)).toEqual(all.map(() => 201));
    expect(statusesOf(ofOne)).toEqual([201, 409, 409]);
    const refused = ofOne.filter(({ status }) => status === 409).map(({ body }) => body.code);
    expect(refused).toEqual(["already_imported", "already_imported"]);
  });

  it("applies the changes of all tools", async () => {
    await create(keys, { publish: true });
    summary = "Get one letter";
    await test.call("POST", `/imports/${id}/check`, {});
    const { body: changes } = await test.call("GET", `/imports/${id}/changes`);
    expect(changes).toHaveLength(keys.length);
    const responses = await Promise.all(
      changes.map(async ({ toolName, hash }: { toolName: string; hash: string }) =>
        test.call("POST", `/imports/${id}/changes`, {
          publish: true,
          changes: [{ toolName, hash }],
        }),
      ),
    );
    expect(statusesOf(responses)).toEqual(keys.map(() => 200));
    expect(resultsOf(responses).map(({ problem }) => problem)).toEqual(keys.map(() => null));
    expect((await test.call("GET", `/imports/${id}`)).body.changeCount).toBe(0);
  });

  it("creates no import for a user who was removed while the document was read", async () => {
    const { userId, apiKey } = await test.addPerson(test.workspaceId, "builder");
    meanwhile = async () => {
      const member = `/workspaces/${test.workspaceId}/members/${userId}`;
      expect((await test.callAsOwner("DELETE", member)).status).toBe(204);
      await sleep(1_100);
    };
    const before = (await test.call("GET", "/imports")).body.length;
    const input = { kind: "openapi", url, allowDuplicate: true };
    const headers = { authorization: `Bearer ${apiKey}` };
    const { status } = await test.call("POST", "/imports", input, headers);
    expect(status).toBe(401);
    expect((await test.call("GET", "/imports")).body).toHaveLength(before);
  });
});
