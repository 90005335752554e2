import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const returns = (value: string) => `export default async () => ({ value: ${value} })`;
const source = (code: string) => ({ source: { language: "typescript", code } });
const run = async (name: string) => (await test.call("POST", `/run/${name}`, {})).body.output;

describe("POST /tools", () => {
  it("returns 201 with the tool and its Location", async () => {
    const made = await test.call("POST", "/tools", draftOf(returns("1")));
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`${test.baseUrl}/api/v1/tools/${made.body.name}`);
    expect(made.body).toMatchObject({
      name: expect.stringMatching(/^test_tool_[a-z0-9]{4}$/) as string,
      version: 1,
      visibility: "workspace",
      isolation: "reuse",
      toolUrl: `${test.baseUrl}/tools/${made.body.name}`,
    });
    expect((await test.call("GET", `/tools/${made.body.name}`)).body).toEqual({
      ...made.body,
      mine: true,
    });
  });

  it.each<[string, object, object]>([
    [
      "code that does not parse",
      source("export default async () => {\n  const = 1;\n}"),
      { file: "tool.ts", line: 2, column: 9 },
    ],
    ["code without a default export", source("export const a = 1"), { file: "tool.ts" }],
    [
      "an absolute import",
      source('import a from "/etc/passwd";\nexport default () => a'),
      { file: "tool.ts", line: 1 },
    ],
    [
      "an import out of its folder",
      source('import a from "../../package.json";\nexport default () => a'),
      { file: "tool.ts" },
    ],
    [
      "a package it does not declare",
      source('import a from "zod";\nexport default () => a'),
      { file: "tool.ts", line: 1, column: 15 },
    ],
    [
      "a schema that is none",
      { inputSchema: { type: "object", properties: 1 } },
      { file: "inputSchema.json", line: 3, column: 3 },
    ],
    ["a file field that is no input", { fileFields: ["photo"] }, { path: "/fileFields/0" }],
    [
      "an example that its schema refuses",
      { inputSchema: { type: "object", required: ["a"] }, examples: [{ input: {} }] },
      { path: "/examples/0/input/a" },
    ],
    [
      "an output declared twice",
      {
        outputSchema: {
          properties: [
            { name: "a", type: "any" },
            { name: "a", type: "any" },
          ],
        },
      },
      { path: "/outputSchema/properties/1/name" },
    ],
    [
      "a credential for a host that the tool does not reach",
      {
        allowedHosts: ["*.example.com"],
        credentials: [
          { name: "KEY", hosts: ["api.example.com", "*.example.com"] },
          { name: "OTHER", hosts: ["api.example.com", "api.example.org"] },
        ],
      },
      {
        path: "/credentials/1/hosts/1",
        message: '"api.example.org" is missing from allowedHosts. Add it there',
      },
    ],
  ])("rejects %s with its location", async (_, rest, expected) => {
    const refused = await test.call("POST", "/tools", { ...draftOf(returns("1")), ...rest });
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_tool"]);
    expect(refused.body.errors[0]).toMatchObject(expected);
  });

  it.each<[string, object, string]>([
    ["no title", { title: undefined }, "/title"],
    ["a title of two lines", { title: "a\nb" }, "/title"],
    ["an unknown field", { color: "red" }, "/color"],
    ["a language we do not run", { source: { language: "python", code: "1" } }, "/source/language"],
    [
      "a dependency from an address",
      { source: { language: "typescript", code: "1", dependencies: { a: "git+https://a.b/c" } } },
      "/source/dependencies/a",
    ],
    ["a host that is an address", { allowedHosts: ["https://example.com/x"] }, "/allowedHosts/0"],
    ["a wrong credential name", { credentials: [{ name: "lower" }] }, "/credentials/0/name"],
    ["a timeout beyond the limit", { timeoutMs: 1e9 }, "/timeoutMs"],
  ])("returns invalid_request for %s", async (_, rest, path) => {
    const refused = await test.call("POST", "/tools", { ...draftOf(returns("1")), ...rest });
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_request"]);
    expect(refused.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });
});

describe("PATCH /tools/:name", () => {
  it("saves the next version as live, and retains other fields", async () => {
    const name = await test.makeTool(returns("1"));
    expect(await run(name)).toEqual({ value: 1 });
    const changed = await test.call("PATCH", `/tools/${name}`, source(returns("2")));
    expect(changed.body).toMatchObject({ name, version: 2, title: "Test tool" });
    expect(await run(name)).toEqual({ value: 2 });
    const retitled = await test.call("PATCH", `/tools/${name}`, { title: "Other title" });
    expect(retitled.body).toMatchObject({ name, version: 3, title: "Other title" });
    expect(await run(name)).toEqual({ value: 2 });
  });

  it("leaves the live version if the build fails", async () => {
    const name = await test.makeTool(returns("1"));
    const refused = await test.call("PATCH", `/tools/${name}`, source("export default ("));
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_tool"]);
    expect(await run(name)).toEqual({ value: 1 });
    expect((await test.call("GET", `/tools/${name}/versions`)).body).toHaveLength(1);
  });

  it("loses no change if several are sent concurrently", async () => {
    const name = await test.makeTool(returns("0"));
    const changes = Array.from({ length: 4 }, (_, index) =>
      test.call("PATCH", `/tools/${name}`, { title: `Title ${index}` }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    const versions = (await test.call("GET", `/tools/${name}/versions`)).body;
    expect(versions.map((each: { version: number }) => each.version)).toEqual([5, 4, 3, 2, 1]);
  });

  it("changes only the version that If-Match names", async () => {
    const name = await test.makeTool(returns("0"));
    const patch = (title: string, condition: string) =>
      test.call("PATCH", `/tools/${name}`, { title }, { "if-match": condition });
    const tag = (await test.call("GET", `/tools/${name}`)).headers.get("etag");
    expect(tag).toBe('"1"');
    const first = await patch("First", '"7", "1"');
    expect([first.status, first.headers.get("etag")]).toEqual([200, '"2"']);
    for (const condition of ['"1"', 'W/"2"', "2", ""]) {
      const refused = await patch("Second", condition);
      expect([condition, refused.status]).toEqual([condition, 412]);
      expect(refused.body).toMatchObject({ code: "precondition_failed", version: 2 });
    }
    expect((await patch("Third", "*")).body).toMatchObject({ version: 3, title: "Third" });
  });

  it("lets only one of several concurrent changes of the same version through", async () => {
    const name = await test.makeTool(returns("0"));
    const changes = Array.from({ length: 4 }, (_, index) =>
      test.call("PATCH", `/tools/${name}`, { title: `Title ${index}` }, { "if-match": '"1"' }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 412, 412, 412]);
  });

  it("lists an input schema with properties and required, however it was sent", async () => {
    const created = await test.call("POST", "/tools", {
      ...draftOf(returns("1")),
      inputSchema: { type: "object" },
    });
    const inputSchema = { type: "object", properties: {}, required: [] };
    expect(created.body.inputSchema).toEqual(inputSchema);
    const { name } = created.body;
    expect((await test.call("GET", `/tools/${name}`)).body.inputSchema).toEqual(inputSchema);
    expect(await run(name)).toEqual({ value: 1 });
  });

  it("returns warnings of inputs without a description, and derives one for agents", async () => {
    const inputSchema = {
      type: "object",
      properties: { cityName: { type: "string" }, unit: { enum: ["c"], description: "Unit" } },
      required: [],
    };
    const made = await test.call("POST", "/tools", { ...draftOf(returns("1")), inputSchema });
    expect(made.body).toMatchObject({
      inputSchema,
      warnings: [{ path: "/inputSchema/properties/cityName" }],
    });
    const skill = await test.call("GET", `/skill/${made.body.name}?format=json`);
    expect(skill.body.inputSchema.properties).toEqual({
      cityName: { type: "string", description: "City name" },
      unit: { type: "string", enum: ["c"], description: "Unit" },
    });
  });

  it("rejects an empty change", async () => {
    const name = await test.makeTool(returns("0"));
    expect((await test.call("PATCH", `/tools/${name}`, {})).status).toBe(400);
  });
});

describe("the versions API", () => {
  it("restores a version as a new one with the old content", async () => {
    const name = await test.makeTool(returns("1"));
    await test.call("PATCH", `/tools/${name}`, { ...source(returns("2")), title: "Second" });
    const restored = await test.call("POST", `/tools/${name}/versions/1/restore`);
    expect(restored.body).toMatchObject({ version: 3, title: "Test tool" });
    expect(await run(name)).toEqual({ value: 1 });
    const { body } = await test.call("GET", `/tools/${name}/versions`);
    expect(body[0]).toMatchObject({ version: 3, live: true, restoredFrom: 1 });
    expect((await test.call("POST", `/tools/${name}/versions/9/restore`)).status).toBe(404);
    expect((await test.call("POST", `/tools/${name}/versions/x/restore`)).status).toBe(400);
  });

  it("returns each version as it was saved", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const name = await test.makeTool(returns("1"), { inputSchema: schema, timeoutMs: 5_000 });
    await test.call("PATCH", `/tools/${name}`, { ...source(returns("2")), title: "Second" });
    const { status, body } = await test.call("GET", `/tools/${name}/versions/1`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: 1,
      title: "Test tool",
      live: false,
      restoredFrom: null,
      createdBy: expect.any(String) as string,
      inputSchema: schema,
      timeoutMs: 5_000,
      allowedHosts: [],
      examples: [],
      source: { language: "typescript", code: returns("1") },
    });
    expect((await test.call("GET", `/tools/${name}/versions/2`)).body).toMatchObject({
      title: "Second",
      live: true,
    });
    expect((await test.call("GET", `/tools/${name}/versions/3`)).body.code).toBe("not_found");
    const stranger = await test.addPerson(await test.addWorkspace(), "owner");
    const headers = { authorization: `Bearer ${stranger.apiKey}` };
    const hidden = await test.call("GET", `/tools/${name}/versions/1`, undefined, headers);
    expect(hidden.body.code).toBe("tool_not_found");
  });

  it("lists versions page by page", async () => {
    const name = await test.makeTool(returns("1"));
    for (let index = 0; index < 3; index++) {
      await test.call("PATCH", `/tools/${name}`, { title: `Title ${index}` });
    }
    const first = await test.call("GET", `/tools/${name}/versions?limit=3`);
    expect(first.body).toHaveLength(3);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await test.call("GET", next.slice(`${test.baseUrl}/api/v1`.length));
    expect(second.body.map((each: { version: number }) => each.version)).toEqual([1]);
    expect(second.headers.get("link")).toBeNull();
  });
});

describe("DELETE /tools/:name", () => {
  it("archives the tool and retains its runs", async () => {
    const name = await test.makeTool(returns("1"));
    const ran = await test.call("POST", `/run/${name}`, {});
    expect((await test.call("DELETE", `/tools/${name}`)).status).toBe(204);
    expect((await test.call("POST", `/run/${name}`, {})).status).toBe(404);
    expect((await test.call("GET", `/tools/${name}`)).body.code).toBe("tool_not_found");
    expect((await test.call("DELETE", `/tools/${name}`)).status).toBe(404);
    expect((await test.call("GET", `/runs/${ran.body.runId}`)).body.output).toEqual({ value: 1 });
    expect((await test.call("GET", "/skills/search?q=test+tool&limit=50")).text).not.toContain(
      name,
    );
  });
});

describe("POST /archived-tools/{name}/restore", () => {
  const restore = async (who: Pick<TestService, "call">, name: string) =>
    (await who.call("POST", `/archived-tools/${name}/restore`)).status;
  const covered = async (name: string) => {
    const { body } = await test.call("GET", `/tools/${name}/approvals`);
    return body.approvals.map((one: { covered: boolean }) => one.covered);
  };
  const withKey = {
    allowedHosts: ["api.example.com"],
    credentials: [{ name: "RESTORED_KEY", hosts: ["api.example.com"] }],
  };

  it("brings the tool back with its name, versions and runs", async () => {
    const name = await test.makeTool(returns("1"));
    await test.call("PATCH", `/tools/${name}`, { title: "Marzipan oracle" });
    await run(name);
    const isFound = async () =>
      (await test.call("GET", "/skills/search?q=marzipan+oracle")).text.includes(name);
    await test.call("DELETE", `/tools/${name}`);
    expect(await isFound()).toBe(false);
    expect((await test.call("GET", `/tools/${name}`)).status).toBe(404);
    expect(await restore(test, name)).toBe(204);
    expect(await run(name)).toEqual({ value: 1 });
    expect(await isFound()).toBe(true);
    expect((await test.call("GET", `/tools/${name}/versions`)).body).toHaveLength(2);
    expect((await test.call("GET", "/archived-tools?limit=200")).body).not.toEqual(
      expect.arrayContaining([expect.objectContaining({ name })]),
    );
    expect((await test.call("GET", `/runs?toolName=${name}`)).body).toHaveLength(2);
    const { body: events } = await test.call("GET", `/audit-events?target=${name}`);
    expect(events).toContainEqual(
      expect.objectContaining({ action: "tool.unarchive", details: { approvals: "restored" } }),
    );
    expect(await restore(test, name)).toBe(404);
  });

  it("restores approvals only for the user who archived the tool", async () => {
    const name = await test.makeTool(returns("1"), withKey);
    expect(await covered(name)).toEqual([true, true]);
    await test.call("DELETE", `/tools/${name}`);
    await restore(test, name);
    expect(await covered(name)).toEqual([true, true]);
    const admin = await test.addSignedIn(test.workspaceId, "admin");
    await test.call("DELETE", `/tools/${name}`);
    expect(await restore(admin, name)).toBe(204);
    expect(await covered(name)).toEqual([false, false]);
    const { body } = await test.call("GET", `/audit-events?target=${name}&action=tool.unarchive`);
    expect(body[0]).toMatchObject({ details: { approvals: "withdrawn" } });
  });

  it("requires the user who archived it or an admin, and for a private tool the author", async () => {
    const builder = await test.addSignedIn(test.workspaceId, "builder");
    const stranger = await test.addSignedIn(await test.addWorkspace(), "owner");
    const make = async (visibility: "workspace" | "private") => {
      const { body } = await builder.call("POST", "/tools", {
        ...draftOf(returns("1")),
        visibility,
      });
      return String(body.name);
    };
    const [shared, own] = [await make("workspace"), await make("private")];
    await builder.call("DELETE", `/tools/${own}`);
    await test.call("DELETE", `/tools/${shared}`);
    // An admin took it out of use.
    expect(await restore(builder, shared)).toBe(403);
    expect(await restore(stranger, shared)).toBe(404);
    expect(await restore(test, own)).toBe(404);
    expect(await restore(builder, own)).toBe(204);
    expect(await restore(test, shared)).toBe(204);
    await builder.call("DELETE", `/tools/${shared}`);
    expect(await restore(builder, shared)).toBe(204);
  });

  it("restores no tool whose versions are being deleted", async () => {
    const name = await test.makeTool(returns("1"));
    await test.call("DELETE", `/tools/${name}`);
    const [restored, deleted] = await Promise.all([
      restore(test, name),
      test.call("DELETE", `/archived-tools/${name}`),
    ]);
    const isRestored = restored === 204;
    expect(isRestored).toBe(deleted.status !== 204);
    expect((await test.call("GET", `/tools/${name}`)).status).toBe(isRestored ? 200 : 404);
  });
});

describe("permanent deletion of an archived tool", () => {
  const archived = async (who: Pick<TestService, "call"> = test) => {
    const { body } = await who.call("GET", "/archived-tools?limit=200");
    return body.map((each: { name: string }) => each.name);
  };
  const bytesOf = async (name: string) =>
    (await test.call("GET", "/archived-tools?limit=200")).body.find(
      (each: { name: string }) => each.name === name,
    )?.bytes;
  const versions = () =>
    test.service.context.db.kysely.selectFrom("tool_versions").select(["id", "size"]).execute();
  const sumOf = (rows: readonly { size: number }[]) =>
    rows.reduce((sum, { size }) => sum + size, 0);

  it("deletes its code and retains its runs", async () => {
    const name = await test.makeTool(returns("1"));
    await test.call("PATCH", `/tools/${name}`, { title: "Second" });
    const ran = await test.call("POST", `/run/${name}`, {});
    expect((await test.call("DELETE", `/archived-tools/${name}`)).status).toBe(404);
    expect(await run(name)).toEqual({ value: 1 });
    await test.call("DELETE", `/tools/${name}`);
    expect(await archived()).toContain(name);
    const [before, bytes] = [await versions(), await bytesOf(name)];
    expect(bytes).toBeGreaterThan(0);
    expect((await test.call("DELETE", `/archived-tools/${name}`)).status).toBe(204);
    const after = await versions();
    expect(before.length - after.length).toBe(2);
    expect(sumOf(before) - sumOf(after)).toBe(bytes);
    expect(await archived()).not.toContain(name);
    expect((await test.call("DELETE", `/archived-tools/${name}`)).body.code).toBe("tool_not_found");
    expect((await test.call("GET", `/runs/${ran.body.runId}`)).body).toMatchObject({
      toolName: name,
      output: { value: 1 },
    });
    expect((await test.call("GET", `/runs?toolName=${name}`)).body).toHaveLength(2);
    const { body: events } = await test.call("GET", `/audit-events?target=${name}`);
    expect(events[0]).toMatchObject({ action: "tool.delete", details: { bytes } });
  });

  it("happens once for concurrent requests", async () => {
    const name = await test.makeTool(returns("1"));
    await test.call("DELETE", `/tools/${name}`);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => test.call("DELETE", `/archived-tools/${name}`)),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const { body } = await test.call("GET", `/audit-events?target=${name}&action=tool.delete`);
    expect(body).toHaveLength(1);
  });

  it("fails while a run is in progress", async () => {
    const name = await test.makeTool(
      "export default () => new Promise((resolve) => setTimeout(() => resolve({}), 20_000))",
    );
    const { body } = await test.call("POST", `/run/${name}`, {}, { prefer: "respond-async" });
    await test.call("DELETE", `/tools/${name}`);
    const refused = await test.call("DELETE", `/archived-tools/${name}`);
    expect([refused.status, refused.body.code]).toEqual([409, "tool_in_use"]);
    await test.call("POST", `/runs/${body.runId}/cancel`);
    expect((await test.call("DELETE", `/archived-tools/${name}`)).status).toBe(204);
  });

  it("requires the author or an admin, and for a private tool the author", async () => {
    const builder = await test.addSignedIn(test.workspaceId, "builder");
    const other = await test.addSignedIn(test.workspaceId, "builder");
    const stranger = await test.addSignedIn(await test.addWorkspace(), "owner");
    const make = async (visibility: "workspace" | "private") => {
      const { body } = await builder.call("POST", "/tools", {
        ...draftOf(returns("1")),
        visibility,
      });
      await builder.call("DELETE", `/tools/${body.name}`);
      return String(body.name);
    };
    const [shared, own] = [await make("workspace"), await make("private")];
    const remove = async (who: Pick<TestService, "call">, name: string) =>
      (await who.call("DELETE", `/archived-tools/${name}`)).status;
    expect(await remove(other, shared)).toBe(403);
    expect(await remove(stranger, shared)).toBe(404);
    expect(await archived(stranger)).toEqual([]);
    expect(await archived(other)).not.toContain(own);
    expect(await remove(test, own)).toBe(404);
    expect(await remove(test, shared)).toBe(204);
    expect(await remove(builder, own)).toBe(204);
  });
});

describe("GET /tools", () => {
  it("filters by text, without interpreting wildcards", async () => {
    const name = await test.makeTool(returns("1"), {
      title: "Percent",
      description: "Gives 100%_sure",
    });
    const found = async (q: string) => {
      const { body } = await test.call("GET", `/tools?q=${encodeURIComponent(q)}`);
      return body.map((each: { name: string }) => each.name);
    };
    expect(await found("100%_SURE")).toEqual([name]);
    expect(await found("100%%sure")).toEqual([]);
    expect(await found("perc")).toEqual([name]);
  });
});

describe("audit log", () => {
  it("contains an event for each change", async () => {
    const name = await test.makeTool(returns("1"));
    await test.call("PATCH", `/tools/${name}`, { title: "Second" });
    await test.call("POST", `/tools/${name}/versions/1/restore`);
    await test.call("DELETE", `/tools/${name}`);
    const { body } = await test.call("GET", `/audit-events?target=${name}`);
    expect(body.map((event: { action: string }) => event.action)).toEqual([
      "tool.archive",
      "tool.restore",
      "tool.update",
      "tool.create",
    ]);
    expect(body[0]).toMatchObject({
      via: "rest",
      outcome: "success",
      actor: { apiKeyId: expect.any(String) as string, userId: expect.any(String) as string },
    });
  });
});
