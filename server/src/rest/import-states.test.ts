import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startFakeMcpServer } from "#testing/fake-mcp-server";
import type { FakeMcpServer } from "#testing/fake-mcp-server";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const paths = ["/a", "/b", "/c", "/d", "/e"];
const keysOf = (items: readonly { key: string }[]) => items.map(({ key }) => key);

let test: TestService;
let server: FakeMcpServer;
let url: string;
let close: () => void;
let document: object;

beforeAll(async () => {
  server = await startFakeMcpServer([]);
  const http = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/openapi.json`;
  close = () => http.close();
  test = await startTestService({
    EGRESS_PRIVATE_HOSTS: `127.0.0.1:${port},${server.host}`,
    USER_MAX_DRAFTS: "3",
  });
});
afterAll(async () => {
  await test.stop();
  server.close();
  close();
});
beforeEach(async () => {
  document = documentOf(paths);
  for (const { id } of (await test.call("GET", "/imports")).body) {
    await test.call("DELETE", `/imports/${id}?tools=archive&drafts=delete`);
  }
});

function documentOf(all: readonly string[], scopes: Record<string, string[]> = {}) {
  const flow = {
    authorizationUrl: "https://login.example/authorize",
    tokenUrl: "https://login.example/token",
    scopes: { read: "", write: "", admin: "" },
  };
  return {
    openapi: "3.1.0",
    info: { title: "Letters", version: "1" },
    servers: [{ url: "https://letters.example" }],
    components: {
      securitySchemes: { login: { type: "oauth2", flows: { authorizationCode: flow } } },
    },
    paths: Object.fromEntries(
      all.map((path) => [
        path,
        {
          get: {
            summary: `Get ${path}`,
            security: [{ login: scopes[path] ?? [] }],
            responses: { 200: { description: "OK" } },
          },
          delete: { summary: `Delete ${path}`, responses: { 204: { description: "Deleted" } } },
        },
      ]),
    ),
  };
}

async function create(body: object = { kind: "openapi", url }) {
  const created = await test.call("POST", "/imports", body);
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  return created.body;
}

const make = async (id: string, keys: string[], body: object = {}) =>
  (await test.call("POST", `/imports/${id}/tools`, { keys, ...body })).body;
const list = async (id: string, query = "") =>
  (await test.call("GET", `/imports/${id}/items?${query}`)).body;
const get = async (id: string) => (await test.call("GET", `/imports/${id}`)).body;

describe("the limit on drafts", () => {
  it("lets as many items become drafts as are free, and says why the others do not", async () => {
    const { id } = await create();
    const made = await make(id, ["GET /a", "GET /b", "GET /c", "GET /d"]);
    expect(made.map(({ draftId }: { draftId: unknown }) => draftId !== null)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(made[3].problem).toContain("drafts of one user");
    const more = await test.call("POST", `/imports/${id}/tools`, { keys: ["GET /e"] });
    expect(more.body.code).toBe("draft_limit");
    expect(await get(id)).toMatchObject({ draftCount: 3, importedCount: 0 });
  });
});

describe("the states of items", () => {
  it("filters and counts items by state", async () => {
    const { id } = await create();
    await make(id, ["GET /a"], { publish: true });
    await make(id, ["GET /b"]);
    expect(await get(id)).toMatchObject({ importedCount: 1, draftCount: 1 });
    expect(keysOf(await list(id, "state=tool"))).toEqual(["GET /a"]);
    expect(keysOf(await list(id, "state=draft"))).toEqual(["GET /b"]);
    expect(await list(id, "state=none")).toHaveLength(8);
    expect(keysOf(await list(id, "state=none&method=DELETE&q=/c"))).toEqual(["DELETE /c"]);
    expect(await list(id, "state=new")).toEqual([]);
    document = documentOf([...paths, "/new"], { "/a": ["read"] });
    await test.call("POST", `/imports/${id}/check`, {});
    expect(keysOf(await list(id, "state=new"))).toEqual(["GET /new", "DELETE /new"]);
    expect(await list(id, "state=changed")).toMatchObject([
      { key: "GET /a", isChanged: true, isOnHold: false, isNew: false },
    ]);
    document = documentOf([...paths, "/new"]);
    await test.call("POST", `/imports/${id}/check`, {});
    expect(await list(id, "state=new&q=/new")).toHaveLength(2);
  });

  it("returns the OAuth scopes that each operation names", async () => {
    document = documentOf(paths, { "/a": ["read"], "/b": ["write", "custom"] });
    const { id } = await create();
    const items = await list(id);
    const scopesOf = (key: string) =>
      items.find((item: { key: string }) => item.key === key).scopes;
    expect(scopesOf("GET /a")).toEqual({ login: ["read"] });
    expect(scopesOf("GET /b")).toEqual({ login: ["write", "custom"] });
    expect(scopesOf("GET /c")).toEqual({});
  });

  it("marks tools of an MCP server on hold", async () => {
    const tool = { name: "work", description: "Works.", inputSchema: { type: "object" } };
    server.tools = [tool];
    const { id } = await create({ kind: "mcp", url: server.url });
    const [{ toolName }] = await make(id, ["work"], { publish: true });
    expect(await get(id)).toMatchObject({ holdCount: 0 });
    const inList = async () =>
      (await test.call("GET", "/tools?limit=200")).body.find(
        ({ name }: { name: string }) => name === toolName,
      ).isOnHold;
    expect(await inList()).toBeUndefined();
    server.tools = [{ ...tool, description: "Works in another way." }];
    await test.call("POST", `/imports/${id}/check`, {});
    expect(await get(id)).toMatchObject({ holdCount: 1, changeCount: 1 });
    expect(keysOf(await list(id, "state=on_hold"))).toEqual(["work"]);
    expect(await inList()).toBe(true);
  });
});

describe("titles of tools", () => {
  const title = "Read my letter";

  it("uses those of the request, also after a change of the item", async () => {
    const { id } = await create();
    const [made] = await make(id, ["GET /a"], { publish: true, titles: { "GET /a": title } });
    const tool = await test.call("GET", `/tools/${made.toolName}`);
    expect(tool.body.title).toBe(title);
    document = documentOf(paths, { "/a": ["read"] });
    await test.call("POST", `/imports/${id}/check`, {});
    const { body } = await test.call("GET", `/imports/${id}/changes`);
    expect(body).toMatchObject([{ isEdited: false, before: { title }, after: { title } }]);
    const long = { keys: ["GET /b"], titles: { "GET /b": "x".repeat(81) } };
    expect((await test.call("POST", `/imports/${id}/tools`, long)).status).toBe(400);
  });

  it("distinguishes them where tools of an MCP server have the same", async () => {
    const inputSchema = { type: "object" };
    server.tools = ["one", "two"].map((name) => ({ name, title: "Search", inputSchema }));
    const { id } = await create({ kind: "mcp", url: server.url });
    const [made] = await make(id, ["two"], { publish: true });
    expect((await test.call("GET", `/tools/${made.toolName}`)).body.title).toBe("Search (two)");
  });
});

describe("a document that is imported already", () => {
  const upload = async (text: string) => {
    const contentBase64 = Buffer.from(text).toString("base64");
    const file = { fileName: "letters.json", mimeType: "application/json", contentBase64 };
    return (await test.call("POST", "/upload", file)).body.fileId;
  };

  it("is refused at the same URL, unless a duplicate is wanted", async () => {
    const { id } = await create();
    const again = await test.call("POST", "/imports", { kind: "openapi", url });
    expect([again.status, again.body.code, again.body.importId]).toEqual([
      409,
      "already_imported",
      id,
    ]);
    const other = await create({ kind: "openapi", url, allowDuplicate: true });
    expect(other.id).not.toBe(id);
  });

  it("is refused with the content of an uploaded file, whose name is shown", async () => {
    const text = JSON.stringify(document);
    const { id, fileName } = await create({ kind: "openapi", fileId: await upload(text) });
    expect(fileName).toBe("letters.json");
    const again = await test.call("POST", "/imports", {
      kind: "openapi",
      fileId: await upload(text),
    });
    expect([again.status, again.body.importId]).toEqual([409, id]);
    await create({ kind: "openapi", fileId: await upload(`${text}\n`) });
  });
});

describe("DELETE /imports/{id}", () => {
  it("deletes its drafts on request, and keeps them otherwise", async () => {
    const first = await create();
    await make(first.id, ["GET /a", "GET /b"]);
    await test.call("DELETE", `/imports/${first.id}`);
    expect((await test.call("GET", "/drafts")).body).toHaveLength(2);
    const second = await create();
    await make(second.id, ["GET /c"]);
    await test.call("DELETE", `/imports/${second.id}?drafts=delete`);
    expect((await test.call("GET", "/drafts")).body).toHaveLength(2);
    for (const { id } of (await test.call("GET", "/drafts")).body) {
      await test.call("DELETE", `/drafts/${id}`);
    }
  });
});
