import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService({ AGENT_OUTPUT_CHARACTERS: "3000" });
});
afterAll(() => test?.stop());

type Options = { revision?: string | undefined; apiKey?: string; query?: string; agent?: string };

/** Sends a request, and returns the JSON-RPC response. */
async function ask(
  method: string,
  params: object,
  { revision = "2025-11-25", apiKey = test.apiKey, query = "", agent = "test" }: Options = {},
) {
  const response = await fetch(`${test.baseUrl}/api/mcp${query}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "user-agent": agent,
      ...(revision === "" ? {} : { "mcp-protocol-version": revision }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  // Tests read responses of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  return (await response.json()) as any;
}

async function call(name: string, args: object, options?: Options) {
  return (await ask("tools/call", { name, arguments: args }, options)).result;
}

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("service_search_tools", () => {
  it("accepts the arguments that models send, and names unknown ones", async () => {
    const name = await test.makeTool("export default () => ({})", { title: "Polish silver" });
    const asked = [
      { query: "polish silver" },
      { q: "polish silver", limit: null, cursor: null },
      { queries: "polish silver", cursor: "" },
      { queries: '["polish silver"]', limit: "2" },
    ];
    for (const args of asked) {
      const { structuredContent } = await call("service_search_tools", args);
      expect(structuredContent.results[0].matches[0].name).toBe(name);
    }
    const wrong = await call("service_search_tools", { queries: ["x"], top: 3 });
    const [{ text }] = wrong.content;
    expect(text).toContain("/top is not an argument of this tool");
    expect(text).toContain("Arguments: queries, limit, cursor.");
    expect(text).not.toContain("properties");
  });

  it("tells an agent to run a good match, and to judge weak ones", async () => {
    await test.makeTool("export default () => ({})", {
      title: "Polish brass",
      description: "Cleans brass instruments, such as trumpets.",
    });
    const hintFor = async (...queries: string[]) =>
      (await call("service_search_tools", { queries })).structuredContent.hint as string;
    expect(await hintFor("polish brass")).toContain("Run the best match");
    const weak = await hintFor("trumpets weather invoice forecast");
    expect(weak).toContain("The matches are weak");
    expect(weak).not.toContain("Run the best match");
    expect(await hintFor("zzyzx")).toContain("No tool matches");
  });

  it("suggests only names that are similar to an unknown broker tool", async () => {
    const near = await ask("tools/call", { name: "service_search_tool", arguments: {} });
    expect(near.error.message).toContain("service_search_tools");
    const far = await ask("tools/call", { name: "service_polish", arguments: {} });
    expect(far.error.message).not.toContain("Did you mean");
    expect(far.error.message).toContain("service_execute_tool");
  });
});

describe("service_execute_tool", () => {
  it("says how to pass a file where an ID is wrong", async () => {
    const tool = await test.makeTool("export default () => ({})", {
      inputSchema: { type: "object", properties: { file: { type: "string" } } },
      fileFields: ["file"],
    });
    const fail = async (args: object) => {
      const result = await call("service_execute_tool", { tool_name: tool, arguments: args });
      return result.content[0].text as string;
    };
    expect(await fail({ file: "report.csv" })).toContain("Upload the file with service_upload");
    expect(await fail([])).not.toContain("service_upload");
  });

  it("shows the message of a failure once", async () => {
    const tool = await test.makeTool("export default () => { throw new Error('no ink left') }");
    const { content } = await call("service_execute_tool", { tool_name: tool, arguments: {} });
    expect(content[0].text.split("no ink left").length).toBe(2);
    expect(content[0].text).toMatch(/\n\s*at /);
  });
});

describe("service_check_run", () => {
  let echo: string;
  beforeAll(async () => {
    echo = await test.makeTool("export default (input) => ({ input })", { title: "Echo" });
  });
  const run = (args: object) => call("service_execute_tool", { tool_name: echo, arguments: args });

  it("finds the caller's own run of a call whose answer was lost", async () => {
    const { structuredContent } = await run({ b: [1, { c: 2 }], a: "x" });
    const lost = { tool_name: echo, arguments: { a: "x", b: [1, { c: 2 }] } };
    const found = await call("service_check_run", lost);
    expect(found.structuredContent).toMatchObject({
      runId: structuredContent.runId,
      output: { input: { a: "x" } },
    });
    const other = await call("service_check_run", { tool_name: echo, arguments: { a: "y" } });
    expect(other).toMatchObject({ isError: true });
    const { apiKey } = await test.addPerson(test.workspaceId, "builder");
    expect(await call("service_check_run", lost, { apiKey })).toMatchObject({ isError: true });
    expect(await call("service_check_run", {}, { apiKey })).toMatchObject({ isError: true });
  });

  it("lists the caller's recent runs", async () => {
    const ids = [];
    for (const n of [1, 2]) ids.unshift((await run({ n })).structuredContent.runId);
    const { structuredContent: listed } = await call("service_check_run", { tool_name: echo });
    expect(listed.runId).toBe(ids[0]);
    const recent = listed.recentRuns.map(({ runId }: { runId: string }) => runId);
    expect(recent.slice(0, 2)).toEqual(ids);
    expect(listed.recentRuns[0]).toMatchObject({ toolName: echo, status: "completed" });
  });

  it("cancels a run for a caller who may run tools", async () => {
    const slow = await test.makeTool(
      "export default () => new Promise((done) => setTimeout(() => done({}), 60_000))",
    );
    const started = await test.call("POST", `/run/${slow}`, {}, { prefer: "respond-async" });
    const { runId } = started.body;
    const key = await test.callAsOwner("POST", "/api-keys", { name: "r", scopes: ["mcp:read"] });
    const refused = await ask(
      "tools/call",
      { name: "service_check_run", arguments: { run_id: runId, cancel: true } },
      { apiKey: key.body.key },
    );
    expect(JSON.stringify(refused)).toContain("insufficient_scope");
    const { apiKey } = await test.addPerson(test.workspaceId, "admin");
    const others = await ask(
      "tools/call",
      { name: "service_check_run", arguments: { run_id: runId, cancel: true } },
      { apiKey },
    );
    expect(JSON.stringify(others)).toContain("only runs that their user started");
    const cancelled = await call("service_check_run", { run_id: runId, cancel: true });
    expect(cancelled.structuredContent).toMatchObject({ runId, status: "cancelled" });
    const again = await call("service_check_run", { run_id: runId, cancel: true });
    expect(again).toMatchObject({ isError: true });
  });
});

describe("a file that a tool saved", () => {
  const code = `export default async ({ bytes, name, type }, ctx) => ({
    file: await ctx.files.save({ name, mimeType: type, body: Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)) }),
  })`;
  let saver: string;
  beforeAll(async () => {
    saver = await test.makeTool(code, { title: "Save a file" });
  });
  const save = (bytes: Buffer, name: string, type: string, options?: Options) =>
    call(saver, { bytes: bytes.toString("base64"), name, type }, options);

  it("becomes a link that downloads it without a credential until it expires", async () => {
    const { content } = await save(Buffer.from("a,b\n1,2\n"), "a table.csv", "text/csv");
    expect(content).toHaveLength(2);
    const [, link] = content;
    expect(link).toMatchObject({ type: "resource_link", name: "a table.csv", size: 8 });
    const got = await fetch(link.uri);
    expect([got.status, await got.text()]).toEqual([200, "a,b\n1,2\n"]);
    expect(got.headers.get("content-disposition")).toContain("attachment");
    expect(got.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await fetch(link.uri, { headers: { range: "bytes=0-2" } })).status).toBe(206);

    const altered = link.uri.replace(/.$/, (last: string) => (last === "A" ? "B" : "A"));
    for (const uri of [altered, `${link.uri}x`, link.uri.slice(0, -30)]) {
      expect((await fetch(uri)).status).toBe(404);
    }
    const { context } = test.service;
    const now = context.clock.now;
    context.clock.now = () => now() + 3_600_001;
    expect((await fetch(link.uri)).status).toBe(404);
    context.clock.now = now;
    expect((await fetch(link.uri)).status).toBe(200);
  });

  it("stops being downloadable by a link of a former member", async () => {
    const person = await test.addPerson(test.workspaceId, "builder");
    const { content } = await save(Buffer.from("x"), "x.txt", "text/plain", {
      apiKey: person.apiKey,
    });
    const { uri } = content[1];
    expect((await fetch(uri)).status).toBe(200);
    const { kysely } = test.service.context.db;
    await kysely.deleteFrom("members").where("user_id", "=", person.userId).execute();
    expect((await fetch(uri)).status).toBe(404);
  });

  it("becomes an image too if it is small, by its bytes", async () => {
    const image = await save(png, "drawing.txt", "text/plain");
    expect(image.content.slice(1)).toEqual([
      expect.objectContaining({ type: "resource_link", mimeType: "image/png" }),
      { type: "image", mimeType: "image/png", data: png.toString("base64") },
    ]);
    const fake = await save(Buffer.from("<svg onload='x'/>"), "drawing.png", "image/png");
    expect(fake.content.slice(1)).toEqual([
      expect.objectContaining({ type: "resource_link", mimeType: "application/octet-stream" }),
    ]);
    const large = await save(Buffer.concat([png, Buffer.alloc(262_144)]), "l.png", "image/png");
    expect(large.content).toHaveLength(2);
  });

  it("becomes a link in a text for clients that may not know resource links", async () => {
    for (const revision of ["", "2025-03-26"]) {
      const { content } = await save(Buffer.from("x"), 'x".txt', "text/plain", { revision });
      expect(content[1]).toMatchObject({ type: "text" });
      expect(content[1].text).toMatch(/"x\\".txt": http\S+\/downloads\/\S+ /);
    }
  });

  it("becomes a link only for a caller who may open it", async () => {
    const other = await test.addPerson(await test.addWorkspace(), "builder");
    const upload = await test.call("POST", "/upload", {
      fileName: "u.txt",
      mimeType: "text/plain",
      contentBase64: "eA==",
    });
    const { structuredContent } = await save(Buffer.from("x"), "x.txt", "text/plain");
    const { fileId } = structuredContent.output.file;
    const naming = "export default (input) => input";
    const ids = { ids: [fileId, upload.body.fileId, randomUUID()] };
    expect((await call(await test.makeTool(naming), ids)).content).toHaveLength(2);
    const authorization = `Bearer ${other.apiKey}`;
    const made = await test.call("POST", "/tools", draftOf(naming), { authorization });
    const elsewhere = await call(made.body.name, ids, { apiKey: other.apiKey });
    expect(elsewhere.structuredContent.output).toEqual(ids);
    expect(elsewhere.content).toHaveLength(1);
  });
});

describe("the form of results", () => {
  it("is one copy for clients that read only text, or that choose one form", async () => {
    const find = (options: Options) => call("service_search_tools", { queries: ["x"] }, options);
    const list = async (options: Options) => (await ask("tools/list", {}, options)).result.tools;
    const both = await find({});
    expect(JSON.parse(both.content[0].text)).toEqual(both.structuredContent);
    for (const options of [{ revision: "2025-03-26" }, { query: "?results=text" }]) {
      const { content, structuredContent } = await find(options);
      expect(JSON.parse(content[0].text)).toEqual(both.structuredContent);
      expect(structuredContent).toBeUndefined();
      const tools = await list(options);
      expect(tools).toHaveLength(6);
      for (const tool of tools) expect(tool).not.toHaveProperty("outputSchema");
    }
    const structured = await find({ query: "?results=structured" });
    expect(structured.structuredContent).toEqual(both.structuredContent);
    expect(structured.content[0].text.length).toBeLessThan(50);
    expect((await list({}))[0]).toHaveProperty("outputSchema");
  });
});

describe("the length of outputs", () => {
  it("is the workspace's, the server's by default, and bounded", async () => {
    const name = await test.makeTool(
      `export default () => ({ rows: Array.from({ length: 500 }, (_, id) => ({ id, text: "row " + id })) })`,
    );
    const lengthOf = async () => (await call(name, {})).content[0].text.length;
    const set = (agentOutputCharacters: unknown) =>
      test.callAsOwner("PATCH", `/workspaces/${test.workspaceId}/settings`, {
        agentOutputCharacters,
      });
    expect(await lengthOf()).toBeLessThan(4_500);
    const longer = await set(400_000);
    expect(longer.body.agentOutputCharacters).toEqual({
      server: 3_000,
      own: 400_000,
      effective: 400_000,
    });
    expect(await lengthOf()).toBeGreaterThan(12_000);
    for (const wrong of [999, 400_001, "5000"]) expect((await set(wrong)).status).toBe(400);
    await set(1_000);
    expect(await lengthOf()).toBeLessThan(2_500);
    expect((await set(null)).body.agentOutputCharacters).toMatchObject({ own: null });
    expect(await lengthOf()).toBeGreaterThan(1_500);
  });
});

describe("a missing credential in 2025-11-25", () => {
  it("is requested once from a client that declared that it opens URLs", async () => {
    const name = await test.makeTool("export default () => ({})", {
      credentials: [{ name: "MOON_KEY", description: "A key.", hosts: ["api.example.com"] }],
      allowedHosts: ["api.example.com"],
    });
    const agent = `agent ${randomUUID()}`;
    const start = (capabilities: object, options: Options) =>
      ask("initialize", { protocolVersion: "2025-11-25", capabilities }, options);
    const params = { name, arguments: {} };

    await start({ elicitation: {} }, { agent });
    expect((await ask("tools/call", params, { agent })).result).toMatchObject({ isError: true });

    await start({ elicitation: { url: {} } }, { agent });
    const { error } = await ask("tools/call", params, { agent });
    expect(error.code).toBe(-32_042);
    expect(error.data.elicitations).toEqual([
      {
        mode: "url",
        elicitationId: expect.any(String) as string,
        message: expect.stringContaining("MOON_KEY") as string,
        url: expect.stringContaining("connect=MOON_KEY") as string,
      },
    ]);
    expect((await ask("tools/call", params, { agent })).result).toMatchObject({ isError: true });
    const others = [{ agent: "other" }, { agent, revision: "2025-06-18" }];
    for (const options of others) {
      expect((await ask("tools/call", params, options)).result).toMatchObject({ isError: true });
    }
  });
});
