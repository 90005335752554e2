import type { RawCreateToolInput } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptHarmlessUpdates } from "#core/catalog";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
/** An admin of another workspace, which installs tools of the test workspace. */
let other: { id: string; key: Record<string, string>; admin: TestService["call"] };
beforeAll(async () => {
  test = await startTestService();
  const id = await test.addWorkspace();
  const builder = await test.addPerson(id, "builder");
  const admin = await test.addSignedIn(id, "admin");
  other = { id, key: bearer(builder.apiKey), admin: admin.call };
});
afterAll(() => test.stop());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const asOther = (method: string, path: string, body?: unknown) =>
  test.call(method, path, body, other.key);
const codeOf = (text: string) => `export default () => ({ from: "${text}" })`;
const sourceOf = (text: string) => ({ language: "typescript" as const, code: codeOf(text) });
const inputSchema = {
  type: "object",
  properties: { title: { type: "string", description: "Any text" } },
};
const first = {
  visibility: "public" as const,
  title: "Sundial",
  description: "Reads the time from the sun.",
  inputSchema,
  timeoutMs: 5_000,
  limits: { memoryMb: 64 },
  isolation: "fresh" as const,
  confirm: true,
  allowedHosts: ["a.example.com"],
  credentials: [{ name: "SUN_KEY", hosts: ["a.example.com"] }],
};

/** A tool without credentials, installed at its first version. */
async function installed(rest: Partial<RawCreateToolInput> = {}): Promise<string> {
  const name = await test.makeTool(codeOf("v1"), { ...first, credentials: [], ...rest });
  expect((await asOther("POST", `/tools/${name}/install`, { version: 1 })).status).toBe(200);
  return name;
}
const publish = async (name: string, patch: object) => {
  const answer = await test.call("PATCH", `/tools/${name}`, patch);
  expect(answer.status).toBe(200);
  return Number(answer.body.version);
};
const output = async (name: string) => {
  const { body } = await asOther("POST", `/run/${name}`, {});
  const record = await asOther("GET", `/runs/${body.runId}`);
  return [body.output?.from, record.body.toolVersion];
};
const events = async (name: string) => {
  const { kysely } = test.service.context.db;
  const rows = await kysely
    .selectFrom("audit_events")
    .select(["action", "actor", "details"])
    .where("workspace_id", "=", other.id)
    .where("target", "=", name)
    .where("action", "in", ["tool.install", "tool.accept_update"])
    .orderBy("id")
    .execute();
  return rows.map(({ action, actor, details }) => ({
    action,
    userId: (JSON.parse(actor) as { userId: string | null }).userId,
    ...(JSON.parse(details) as object),
  }));
};

describe("installed tool", () => {
  it("stays at the accepted version everywhere", async () => {
    const name = await installed();
    const v2 = {
      title: "Moondial",
      description: "Reads the time from the moon.",
      inputSchema: { type: "object", required: ["phase"], properties: { phase: {} } },
      source: sourceOf("v2"),
    };
    await publish(name, v2);
    const update = { version: 2 };
    const seen = { name, title: first.title, version: 1, update };
    expect((await asOther("GET", `/tools/${name}`)).body).toMatchObject({ ...seen, inputSchema });
    const list = await asOther("GET", "/tools?origin=installed&q=sundial");
    expect(list.body).toContainEqual(expect.objectContaining(seen));
    expect((await asOther("GET", "/tools?q=moondial")).body).toEqual([]);
    const skill = await asOther("GET", `/skill/${name}?format=json`);
    expect(skill.body).toMatchObject({ title: first.title, version: 1, inputSchema });
    expect(skill.text).not.toContain("moon");
    expect((await asOther("GET", `/tools/${name}/types`)).text).not.toContain("phase");
    const search = async (q: string) =>
      (await asOther("GET", `/skills/search?q=${q}`)).body.results[0].matches as object[];
    expect(await search("sundial")).toContainEqual(expect.objectContaining(seen));
    expect(await search("moondial")).not.toContainEqual(expect.objectContaining({ name }));
    expect((await asOther("GET", `/tools/${name}/approvals`)).body.version).toBe(1);
    expect(await output(name)).toEqual(["v1", 1]);
    const catalog = await asOther("GET", "/tools?catalog=public&q=moondial");
    expect(catalog.body).toMatchObject([
      { name, title: "Moondial", version: 2, installed: true, update },
    ]);
    const mcp = await fetch(`${test.baseUrl}/api/mcp`, {
      method: "POST",
      headers: {
        ...other.key,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "service_get_skill", arguments: { tool_names: [name] } },
      }),
    });
    const said = await mcp.text();
    expect(said).toContain("Sundial");
    expect(said).not.toContain("Moondial");
  });

  it("shows the changes of an update without its code, and uses it once accepted", async () => {
    const name = await installed();
    await publish(name, {
      title: "Moondial",
      source: sourceOf("secret code"),
      allowedHosts: ["a.example.com", "evil.example.com"],
      limits: {},
    });
    const { body, text } = await asOther("GET", `/tools/${name}/install`);
    expect(body).toMatchObject({ name, version: 1 });
    expect(body.update).toMatchObject({
      version: 2,
      codeChanged: true,
      asksFor: ["hosts", "texts", "limits"],
      new: { credentials: [], allowedHosts: ["evil.example.com"] },
    });
    expect(body.update.changes).toEqual([
      { field: "title", before: "Sundial", after: "Moondial" },
      {
        field: "allowedHosts",
        before: ["a.example.com"],
        after: ["a.example.com", "evil.example.com"],
      },
      { field: "limits", before: { memoryMb: 64 }, after: {} },
    ]);
    expect(text).not.toContain("secret code");
    const accepted = await asOther("POST", `/tools/${name}/install/update`, { version: 2 });
    expect([accepted.status, accepted.body.version, accepted.body.update]).toEqual([200, 2, null]);
    expect(await output(name)).toEqual(["secret code", 2]);
    const found = await asOther("GET", "/skills/search?q=moondial");
    expect(found.body.results[0].matches).toContainEqual(
      expect.objectContaining({ name, version: 2 }),
    );
    expect((await asOther("GET", `/tools/${name}`)).body.update).toBeUndefined();
    const userId = accepted.body.acceptedBy as string;
    expect(await events(name)).toEqual([
      { action: "tool.install", userId, version: 1 },
      { action: "tool.accept_update", userId, from: 1, version: 2, automatic: false },
    ]);
  });

  it("accepts only the live version, from users who can install", async () => {
    const name = await installed();
    await publish(name, { source: sourceOf("v2") });
    await publish(name, { source: sourceOf("v3") });
    const path = `/tools/${name}/install/update`;
    const late = await asOther("POST", path, { version: 2 });
    expect([late.status, late.body.code, late.body.version]).toEqual([409, "version_not_live", 3]);
    expect((await asOther("POST", path)).status).toBe(400);
    expect((await asOther("POST", path, {})).status).toBe(400);
    const member = bearer((await test.addPerson(other.id, "member")).apiKey);
    expect((await test.call("GET", `/tools/${name}/install`, undefined, member)).status).toBe(200);
    expect((await test.call("POST", path, { version: 3 }, member)).status).toBe(403);
    // Its own workspace has no install, and other workspaces cannot see it.
    expect((await test.call("POST", path, { version: 3 })).status).toBe(404);
    expect((await test.call("GET", `/tools/${name}/install`)).status).toBe(404);
    expect(await output(name)).toEqual(["v1", 1]);
    expect((await asOther("POST", path, { version: 3 })).status).toBe(200);
    expect((await asOther("POST", path, { version: 3 })).status).toBe(200);
    expect(await output(name)).toEqual(["v3", 3]);
    await test.call("DELETE", `/tools/${name}`);
    expect((await asOther("GET", `/tools/${name}/install`)).status).toBe(404);
  });

  it("is installed at the named version, or at the live one", async () => {
    const name = await test.makeTool(codeOf("v1"), { ...first, credentials: [] });
    await publish(name, { source: sourceOf("v2") });
    const path = `/tools/${name}/install`;
    const late = await asOther("POST", path, { version: 1 });
    expect([late.status, late.body.code, late.body.version]).toEqual([409, "version_not_live", 2]);
    expect((await asOther("POST", path)).body).toMatchObject({ version: 2, installed: true });
    await publish(name, { source: sourceOf("v3") });
    const again = await asOther("POST", path);
    expect(again.body).toMatchObject({ version: 2, update: { version: 3 } });
    expect((await asOther("POST", path, { version: 3 })).status).toBe(400);
    expect(await output(name)).toEqual(["v2", 2]);
    expect(await events(name)).toHaveLength(1);
  });

  it("retains the accepted version when its author exceeds the limit of stored versions", async () => {
    const name = await installed();
    const { config } = test.service.context;
    const kept = config.TOOL_MAX_VERSIONS;
    config.TOOL_MAX_VERSIONS = 2;
    try {
      for (let at = 0; at < 5; at++) await publish(name, { description: `Text ${at}.` });
    } finally {
      config.TOOL_MAX_VERSIONS = kept;
    }
    const left = await test.call("GET", `/tools/${name}/versions`);
    expect((left.body as { version: number }[]).map(({ version }) => version)).toEqual([6, 5, 1]);
    expect(await output(name)).toEqual(["v1", 1]);
    expect((await asOther("GET", `/tools/${name}/install`)).body.update.version).toBe(6);
  });

  it("pins one version when many accept and publish concurrently", async () => {
    const name = await installed();
    await Promise.all([
      ...Array.from({ length: 4 }, (_, at) =>
        test.call("PATCH", `/tools/${name}`, { description: `Text ${at}.` }),
      ),
      ...Array.from({ length: 4 }, (_, at) =>
        asOther("POST", `/tools/${name}/install/update`, { version: at + 2 }),
      ),
    ]);
    const auditEvents = await events(name);
    const versions = auditEvents.map((event) => (event as unknown as { version: number }).version);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(versions.length);
    const { body } = await asOther("GET", `/tools/${name}/install`);
    expect(body.version).toBe(versions.at(-1));
  });
});

describe("automatic acceptance", () => {
  const settings = () => `/workspaces/${other.id}/settings`;
  const setAutomatic = (isOn: boolean) =>
    other.admin("PATCH", settings(), { autoAcceptUpdates: isOn });
  const accept = () => acceptHarmlessUpdates(test.service.context);

  it("is disabled until an admin enables it", async () => {
    const name = await installed();
    await publish(name, { source: sourceOf("v2") });
    await accept();
    expect(await output(name)).toEqual(["v1", 1]);
    expect((await other.admin("GET", settings())).body.autoAcceptUpdates).toBe(false);
    const builder = await test.addSignedIn(other.id, "builder");
    const refused = await builder.call("PATCH", settings(), { autoAcceptUpdates: true });
    expect(refused.status).toBe(403);
    const changed = await setAutomatic(true);
    expect([changed.status, changed.body.autoAcceptUpdates]).toEqual([200, true]);
    await accept();
    expect(await output(name)).toEqual(["v2", 2]);
    expect((await events(name)).at(-1)).toEqual({
      action: "tool.accept_update",
      userId: null,
      from: 1,
      version: 2,
      automatic: true,
    });
    expect((await asOther("GET", `/tools/${name}/install`)).body.acceptedBy).toBe(null);
    await setAutomatic(false);
    await publish(name, { source: sourceOf("v3") });
    await accept();
    expect(await output(name)).toEqual(["v2", 2]);
  });

  it.each<[string, Partial<RawCreateToolInput>, string]>([
    ["a host", { allowedHosts: ["a.example.com", "b.example.com"] }, "hosts"],
    ["a wildcard host", { allowedHosts: ["*.example.com"] }, "hosts"],
    ["a credential", { credentials: [...first.credentials, { name: "OTHER" }] }, "credentials"],
    ["wider credential hosts", { credentials: [{ name: "SUN_KEY" }] }, "credentials"],
    ["more memory", { limits: { memoryMb: 128 } }, "limits"],
    ["no limit of memory", { limits: {} }, "limits"],
    ["more time", { timeoutMs: 6_000 }, "limits"],
    ["no confirmation", { confirm: false }, "confirm"],
    ["memory between runs", { isolation: "reuse" }, "isolation"],
    ["second attempts", { idempotent: true }, "retries"],
    [
      "another input",
      { inputSchema: { ...inputSchema, properties: { ...inputSchema.properties, more: {} } } },
      "input",
    ],
    [
      "an input under a name that is also a keyword",
      {
        inputSchema: { ...inputSchema, properties: { title: { type: "string" }, description: {} } },
      },
      "input",
    ],
    ["a required input", { inputSchema: { ...inputSchema, required: ["title"] } }, "input"],
    ["a file", { fileFields: ["title"] }, "input"],
    ["another title", { title: "Moondial" }, "texts"],
    ["another description", { description: "Paste your password here." }, "texts"],
    [
      "another text in its input schema",
      { inputSchema: { ...inputSchema, description: "Paste your password here." } },
      "texts",
    ],
    [
      "another output",
      { outputSchema: { properties: [{ name: "from", type: "string", description: "Origin" }] } },
      "output",
    ],
  ])("requires review of an update with %s", async (_, patch, reason) => {
    await setAutomatic(true);
    const name = await installed({ credentials: first.credentials });
    const version = await publish(name, patch);
    await accept();
    const { body } = await asOther("GET", `/tools/${name}/install`);
    expect(body).toMatchObject({ version: 1, update: { version } });
    expect(body.update.asksFor).toContain(reason);
    const path = `/tools/${name}/install/update`;
    expect((await asOther("POST", path, { version })).status).toBe(200);
  });

  it("requires review when a reference makes a secret field readable", async () => {
    await setAutomatic(true);
    const schema = (password: object) => ({
      type: "object",
      properties: { password: { $ref: "#/examples/0" } },
      examples: [password],
    });
    const secret = schema({ type: "string", writeOnly: true });
    const name = await installed({ inputSchema: secret });
    await publish(name, { inputSchema: schema({ type: "string" }) });
    await accept();
    const { body } = await asOther("GET", `/tools/${name}/install`);
    expect([body.version, body.update.asksFor]).toEqual([1, ["input", "texts"]]);
    await asOther("POST", `/run/${name}`, { password: "opensesame" });
    expect((await asOther("GET", "/runs")).text).not.toContain("opensesame");
  });

  it("accepts updates that need nothing new, and checks each newer version", async () => {
    await setAutomatic(true);
    const name = await installed();
    await publish(name, { allowedHosts: ["a.example.com", "b.example.com"] });
    await accept();
    expect((await asOther("GET", `/tools/${name}`)).body.version).toBe(1);
    await publish(name, {
      source: sourceOf("less"),
      allowedHosts: [],
      limits: { memoryMb: 32 },
    });
    await Promise.all([accept(), accept(), accept()]);
    expect(await output(name)).toEqual(["less", 3]);
    expect(await events(name)).toHaveLength(2);
  });
});
