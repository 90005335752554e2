import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeExpiredFiles } from "#core/files";
import { newId } from "#lib/ids";
import { draftOf, startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";

/** Every cap is three, and bytes are 3,000. */
const settings = {
  USER_MAX_WORKSPACES: "3",
  USER_MAX_API_KEYS: "3",
  USER_MAX_DRAFTS: "3",
  USER_MAX_CREDENTIALS: "3",
  USER_MAX_CONNECTION_ATTEMPTS: "3",
  WORKSPACE_MAX_MEMBERS: "3",
  WORKSPACE_MAX_INVITATIONS: "3",
  WORKSPACE_MAX_API_KEYS: "100",
  WORKSPACE_MAX_TOOLS: "3",
  WORKSPACE_MAX_TOOL_BYTES: "400000",
  WORKSPACE_MAX_DRAFT_BYTES: "600000",
  WORKSPACE_MAX_INSTALLED_TOOLS: "3",
  WORKSPACE_MAX_CREDENTIALS: "3",
  WORKSPACE_MAX_FILES: "3",
  WORKSPACE_MAX_FILE_BYTES: "3000",
  OAUTH_MAX_CLIENTS: "3",
  TOOL_MAX_VERSIONS: "3",
  DRAFT_MAX_BUILDS: "3",
};

let test: TestService;
let person: SignedIn;
let workspaceId: string;
beforeAll(async () => {
  test = await startTestService(settings);
});
afterAll(() => test.stop());

/** Signs in a new user who owns a new workspace. */
async function enter(): Promise<void> {
  workspaceId = await test.addWorkspace();
  person = await test.addSignedIn(workspaceId, "owner");
}

const inWorkspace = () => ({ "x-workspace-id": workspaceId });
const db = () => test.service.context.db;
const post = (path: string, body: unknown) => person.call("POST", path, body, inWorkspace());
const returnsOne = "export default () => ({ value: 1 })";

type Answer = Awaited<ReturnType<TestService["call"]>>;

/** Concurrently creates more than the cap allows, and returns the responses that were refused. */
async function overfill(create: (index: number) => Promise<Answer>, free = 3): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => create(index)));
  const refused = answers.filter(({ status }) => status >= 300);
  expect({ created: answers.length - refused.length }).toEqual({ created: free });
  return refused;
}

function expectCap(answers: readonly Answer[], name: string, max = 3): void {
  for (const { status, headers, body } of answers) {
    expect({ status, code: body.code, limit: body.limit }).toEqual({
      status: 429,
      code: "quota_exceeded",
      limit: { name, max },
    });
    expect(body.detail).toMatch(
      new RegExp(`^The limit on .+ \\(${max}\\) is reached\\. \\w.+\\.$`),
    );
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
}

describe("a cap, with more concurrent creations than it allows", () => {
  it("limits the workspaces that a user owns", async () => {
    await enter();
    const create = () => person.call("POST", "/workspaces", { name: "Another" });
    expectCap(await overfill(create, 2), "workspaces");
    const [owned] = (await person.call("GET", "/workspaces")).body;
    const gone = await person.call("DELETE", `/workspaces/${owned.id}`, { name: owned.name });
    expect(gone.status).toBe(204);
    expect((await create()).status).toBe(201);
  });

  it("limits transferred workspaces", async () => {
    await enter();
    await overfill(() => person.call("POST", "/workspaces", { name: "Another" }), 2);
    const other = await test.addWorkspace();
    const giver = await test.addSignedIn(other, "owner");
    await db()
      .kysely.insertInto("members")
      .values({
        id: newId(),
        workspace_id: other,
        user_id: person.userId,
        role: "admin",
        created_at: 1,
      })
      .execute();
    const transferred = await giver.call("POST", `/workspaces/${other}/transfer`, {
      userId: person.userId,
    });
    const promoted = await giver.call("PATCH", `/workspaces/${other}/members/${person.userId}`, {
      role: "owner",
    });
    expectCap([transferred, promoted], "workspaces");
  });

  it("limits the keys of a user, in all workspaces together", async () => {
    await enter();
    const second = (await person.call("POST", "/workspaces", { name: "Second" })).body;
    const create = (index: number) =>
      person.call(
        "POST",
        "/api-keys",
        { name: "Key", scopes: ["mcp:read"] },
        { "x-workspace-id": index % 2 === 0 ? workspaceId : second.id },
      );
    expectCap(await overfill(create), "user-api-keys");
    const [key] = (await person.call("GET", "/api-keys", undefined, inWorkspace())).body;
    await person.call("DELETE", `/api-keys/${key.id}`, undefined, inWorkspace());
    expect((await create(0)).status).toBe(201);
  });

  it("limits pending invitations, one of which may be renewed", async () => {
    await enter();
    const path = `/workspaces/${workspaceId}/invitations`;
    const invite = (index: number) =>
      person.call("POST", path, { email: `guest-${index}@example.com`, role: "member" });
    expectCap(await overfill(invite), "invitations");
    const [pending] = (await person.call("GET", path)).body;
    const renewed = await person.call("POST", path, { email: pending.email, role: "viewer" });
    expect(renewed.status).toBe(201);
  });

  it("limits members", async () => {
    await enter();
    const guests = await Promise.all(
      Array.from({ length: 3 }, () => test.addSignedIn(undefined, "")),
    );
    const path = `/workspaces/${workspaceId}/invitations`;
    const tokens = await Promise.all(
      guests.map(async ({ email }) => {
        const { body } = await person.call("POST", path, { email, role: "member" });
        return String(body.url).split("/").at(-1);
      }),
    );
    const answers = await Promise.all(
      guests.map((guest, index) => guest.call("POST", `/invitations/${tokens[index]}/accept`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expectCap(
      answers.filter(({ status }) => status === 429),
      "members",
    );
  });

  it("limits tools, without archived ones", async () => {
    await enter();
    const create = () => post("/tools", draftOf(returnsOne));
    expectCap(await overfill(create), "tools");
    const [tool] = (await person.call("GET", "/tools", undefined, inWorkspace())).body;
    await person.call("DELETE", `/tools/${tool.name}`, undefined, inWorkspace());
    expect((await create()).status).toBe(201);
  });

  it("limits installed tools, one of which may be installed again", async () => {
    await enter();
    const makers = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const home = await test.addWorkspace();
        return { home, maker: await test.addSignedIn(home, "owner") };
      }),
    );
    const created = await Promise.all(
      makers.flatMap(({ home, maker }) =>
        [1, 2].map(() =>
          maker.call(
            "POST",
            "/tools",
            { ...draftOf(returnsOne), visibility: "public" },
            { "x-workspace-id": home },
          ),
        ),
      ),
    );
    const names = created.map(({ body }) => String(body.name));
    const answers = await Promise.all(names.map((name) => post(`/tools/${name}/install`, {})));
    expectCap(
      answers.filter(({ status }) => status >= 300),
      "installed-tools",
    );
    const index = answers.findIndex(({ status }) => status < 300);
    expect((await post(`/tools/${names[index]}/install`, {})).status).toBeLessThan(300);
  });

  it("limits drafts with their own error code", async () => {
    await enter();
    const refused = await overfill(() => post("/drafts", { definition: {} }));
    expect(refused.map(({ status, body }) => [status, body.code, body.limit])).toEqual(
      refused.map(() => [409, "draft_limit", { name: "drafts", max: 3 }]),
    );
  });

  it.each([
    ["user", "user-credentials"],
    ["workspace", "workspace-credentials"],
  ])("holds for credentials of a %s", async (owner, name) => {
    await enter();
    const create = (index: number) =>
      post("/credentials", {
        name: `SECRET_${index}`,
        value: "a-secret-value",
        owner,
        hosts: ["example.com"],
      });
    expectCap(await overfill(create), name);
  });
});

describe("the cap on files", () => {
  const upload = (bytes: number) =>
    post("/upload", {
      fileName: "a.bin",
      mimeType: "application/octet-stream",
      contentBase64: Buffer.alloc(bytes).toString("base64"),
    });

  it("limits their number", async () => {
    await enter();
    expectCap(await overfill(() => upload(1)), "files");
  });

  it("limits their bytes, and accepts a file that fits exactly", async () => {
    await enter();
    expectCap(await overfill(() => upload(1_400), 2), "file-bytes", 3_000);
    expectCap([await upload(201)], "file-bytes", 3_000);
    expect((await upload(200)).status).toBe(201);
  });

  it("counts an upload from the time it is announced", async () => {
    await enter();
    const announce = () =>
      post("/upload", { fileName: "a.bin", mimeType: "text/plain", size: 1_400 });
    expectCap(await overfill(announce, 2), "file-bytes", 3_000);
  });

  it("counts an upload of unknown size when it has arrived", async () => {
    await enter();
    const { createUploadUrl } = await import("#core/files");
    const caller = { userId: person.userId, workspaceId, actor: { userId: person.userId } };
    const maker = { ...caller, via: "rest", requestId: null, ip: null } as const;
    const announced = await Promise.all(
      [1, 2, 3].map(() =>
        createUploadUrl(test.service.context, maker, { fileName: "a", mimeType: "text/plain" }),
      ),
    );
    const sent = await Promise.all(
      announced.map(({ uploadUrl }) =>
        fetch(String(uploadUrl), { method: "PUT", body: Buffer.alloc(1_400) }),
      ),
    );
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(sent.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it("limits files that tools save concurrently", async () => {
    await enter();
    const saves = `export default async (_, ctx) => {
      const saved = await Promise.allSettled([1, 2, 3, 4].map((name) =>
        ctx.files.save({ name: "f" + name, mimeType: "text/plain", body: "x".repeat(1400) })));
      return {
        saved: saved.filter(({ status }) => status === "fulfilled").length,
        why: saved.filter(({ status }) => status === "rejected").map(({ reason }) => reason.message),
      };
    }`;
    const { name } = (await post("/tools", draftOf(saves))).body;
    const { body } = await post(`/run/${name}`, {});
    expect(body).toMatchObject({ status: "completed", output: { saved: 2 } });
    expect(body.output.why.join()).toContain("bytes of files of one workspace (3000)");
  });

  it("frees expired files", async () => {
    await enter();
    await overfill(() => upload(1));
    await db()
      .kysely.updateTable("files")
      .set({ expires_at: 1 })
      .where("workspace_id", "=", workspaceId)
      .execute();
    await removeExpiredFiles(test.service.context, 100);
    expect((await upload(3_000)).status).toBe(201);
  });
});

describe("the cap on the bytes of tools", () => {
  const max = Number(settings.WORKSPACE_MAX_TOOL_BYTES);
  const withBytes = (bytes: number) =>
    draftOf(`export default () => ({ value: "${randomUUID()}${"x".repeat(bytes)}".length })`);
  const create = (bytes: number) => post("/tools", withBytes(bytes));
  const change = (name: string, bytes: number) =>
    person.call("PATCH", `/tools/${name}`, { source: withBytes(bytes).source }, inWorkspace());
  const archive = (name: string) =>
    person.call("DELETE", `/tools/${name}`, undefined, inWorkspace());

  /** What the database has, apart from the sizes that were noted. */
  async function storedBytes(): Promise<number> {
    const rows = await db()
      .kysely.selectFrom("tool_versions")
      .select(["title", "description", "definition", "source", "bundle", "source_map"])
      .where("workspace_id", "=", workspaceId)
      .execute();
    return rows
      .flatMap((row) => Object.values(row))
      .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }

  it("limits concurrent saves, and counts archived tools", async () => {
    await enter();
    const first = await create(60_000);
    const size = await storedBytes();
    expect((await archive(first.body.name)).status).toBe(204);
    const free = Math.floor(max / size) - 1;
    expect(free).toBeGreaterThan(0);
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(60_000)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(answers.length - refused.length).toBe(free);
    expect(await storedBytes()).toBe(size * (free + 1));
    expectCap(refused, "tool-bytes", max);
    for (const { body } of answers.filter(({ status }) => status === 201)) {
      await archive(body.name);
    }
    expectCap([await create(60_000)], "tool-bytes", max);
  });

  it("limits new versions, restored ones and published drafts", async () => {
    await enter();
    const { name } = (await create(90_000)).body;
    const size = await storedBytes();
    const fits = Math.floor(max / size);
    // Otherwise old versions are deleted first.
    expect(fits).toBeLessThan(3);
    for (let version = 2; version <= fits; version++) {
      expect((await change(name, 90_000)).status).toBe(200);
    }
    const refused = await Promise.all([
      change(name, 90_000),
      change(name, 90_000),
      post(`/tools/${name}/versions/1/restore`, {}),
    ]);
    const { id, revision } = (await post("/drafts", { definition: withBytes(90_000) })).body;
    refused.push(await post(`/drafts/${id}/publish`, { revision }));
    expectCap(refused, "tool-bytes", max);
    expect(await storedBytes()).toBe(size * fits);
    const seen = await person.call("GET", `/tools/${name}`, undefined, inWorkspace());
    expect(seen.body.version).toBe(fits);
    expect((await change(name, 1)).status).toBe(200);
  });

  it("is freed by deleting versions", async () => {
    await enter();
    const { name } = (await create(40_000)).body;
    const size = await storedBytes();
    const saves = Math.floor(max / size) + 2;
    for (let n = 0; n < saves; n++) expect((await change(name, 40_000)).status).toBe(200);
    expect(await storedBytes()).toBe(size * 3);
  });
});

describe("the cap on the bytes of drafts", () => {
  const max = Number(settings.WORKSPACE_MAX_DRAFT_BYTES);
  const withBytes = (bytes: number) =>
    draftOf(`export default () => ({ value: "${randomUUID()}${"x".repeat(bytes)}".length })`);
  const create = (bytes: number) => post("/drafts", { definition: withBytes(bytes) });
  const save = (id: string, bytes: number) =>
    person.call(
      "PUT",
      `/drafts/${id}`,
      { revision: 1, definition: withBytes(bytes) },
      inWorkspace(),
    );

  async function storedBytes(): Promise<number> {
    const { kysely } = db();
    const rows = await Promise.all([
      kysely
        .selectFrom("drafts")
        .select(["title", "definition"])
        .where("workspace_id", "=", workspaceId)
        .execute(),
      kysely
        .selectFrom("draft_versions")
        .select(["definition", "source", "bundle", "source_map"])
        .where("workspace_id", "=", workspaceId)
        .execute(),
    ]);
    return rows
      .flat()
      .flatMap((row) => Object.values(row))
      .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }

  it("limits drafts that several users save concurrently", async () => {
    await enter();
    const colleague = await test.addSignedIn(workspaceId, "builder");
    const definition = () => ({ definition: withBytes(150_000) });
    const created = await Promise.all(
      [person, person, person, colleague, colleague, colleague].map((one) =>
        one.call("POST", "/drafts", definition(), inWorkspace()),
      ),
    );
    const refused = created.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(3);
    expectCap(refused, "draft-bytes", max);
    const [own] = (await person.call("GET", "/drafts", undefined, inWorkspace())).body;
    const [theirs] = (await colleague.call("GET", "/drafts", undefined, inWorkspace())).body;
    const larger = { revision: 1, definition: withBytes(250_000) };
    const saved = await Promise.all([
      own && person.call("PUT", `/drafts/${own.id}`, larger, inWorkspace()),
      theirs && colleague.call("PUT", `/drafts/${theirs.id}`, larger, inWorkspace()),
    ]);
    const notSaved = saved.filter((answer) => answer !== undefined && answer.status !== 200);
    expect(saved.filter((answer) => answer?.status === 200)).toHaveLength(1);
    expectCap(notSaved, "draft-bytes", max);
    expect(await storedBytes()).toBeLessThanOrEqual(max);
  });

  it("limits builds, and is freed by deleting a draft", async () => {
    await enter();
    const small = (await create(60_000)).body;
    expect((await post(`/drafts/${small.id}/run`, {})).body.status).toBe("completed");
    const large = (await create(250_000)).body;
    expectCap([await post(`/drafts/${large.id}/run`, {})], "draft-bytes", max);
    expectCap([await save(small.id, 300_000)], "draft-bytes", max);
    expect(await storedBytes()).toBeLessThanOrEqual(max);
    await person.call("DELETE", `/drafts/${large.id}`, undefined, inWorkspace());
    expect((await save(small.id, 300_000)).status).toBe(200);
  });
});

describe("the cap on versions", () => {
  const versionsOf = async (name: string) => {
    const rows = await db()
      .kysely.selectFrom("tool_versions")
      .innerJoin("tools", "tools.id", "tool_versions.tool_id")
      .select("tool_versions.version")
      .where("tools.name", "=", name)
      .orderBy("tool_versions.version")
      .execute();
    return rows.map(({ version }) => version);
  };
  const save = async (name: string, times: number) => {
    for (let n = 0; n < times; n++) {
      const description = `Changed ${randomUUID()}`;
      const { status } = await person.call(
        "PATCH",
        `/tools/${name}`,
        { description },
        inWorkspace(),
      );
      expect(status).toBe(200);
    }
  };

  it("deletes all but the newest versions and those in use", async () => {
    await enter();
    const waits = `export default async () => {
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      return {};
    }`;
    const { name } = (await post("/tools", draftOf(waits))).body;
    const tool = await db()
      .kysely.selectFrom("tools")
      .select("id")
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    const run = await person.call(
      "POST",
      `/run/${name}`,
      {},
      { ...inWorkspace(), prefer: "respond-async" },
    );
    await save(name, 1);
    await sql`insert into tool_approvals (workspace_id, tool_id, owner_user_id, needs, version, by_user_id, at, how)
      values (${workspaceId}, ${tool.id}, '', '[]', 2, ${person.userId}, 1, 'request')`.execute(
      db().kysely,
    );
    await save(name, 1);
    const draft = await post("/drafts", { toolName: name, definition: {} });
    expect(draft.status).toBe(201);
    await save(name, 5);
    // Version 1 runs, 2 is approved, 3 is the base of a draft, and 6 to 8 are the newest.
    expect(await versionsOf(name)).toEqual([1, 2, 3, 6, 7, 8]);
    await person.call("POST", `/runs/${run.body.runId}/cancel`, undefined, inWorkspace());
    await expect
      .poll(async () => {
        const seen = await person.call("GET", `/runs/${run.body.runId}`, undefined, inWorkspace());
        return seen.body.status;
      })
      .toBe("cancelled");
    await save(name, 1);
    expect(await versionsOf(name)).toEqual([2, 3, 7, 8, 9]);
  });

  it("deletes old versions of drafts too", async () => {
    await enter();
    const definition = draftOf(returnsOne);
    const { id } = (await post("/drafts", { definition })).body;
    for (let revision = 1; revision <= 5; revision++) {
      const run = await post(`/drafts/${id}/run`, {});
      expect(run.body).toMatchObject({ status: "completed" });
      const changed = { ...definition, description: `Changed ${revision}` };
      await person.call("PUT", `/drafts/${id}`, { revision, definition: changed }, inWorkspace());
    }
    const builds = await db()
      .kysely.selectFrom("draft_versions")
      .select("version")
      .where("draft_id", "=", id)
      .execute();
    expect(builds).toHaveLength(3);
  });
});

describe("the cap on registered apps", () => {
  const register = () =>
    fetch(`${test.baseUrl}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: "App",
        redirect_uris: ["http://127.0.0.1/callback"],
        token_endpoint_auth_method: "none",
      }),
    });
  const clients = () =>
    db().kysely.selectFrom("oauth_records").select("id").where("model", "=", "Client").execute();

  it("rejects registrations until older apps can be evicted", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, register));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.find(({ status }) => status !== 201);
    expect(await refused?.json()).toMatchObject({ error: "temporarily_unavailable" });
    await db()
      .kysely.updateTable("oauth_records")
      .set({ created_at: Date.now() - 2 * 3_600_000 })
      .where("model", "=", "Client")
      .execute();
    expect((await register()).status).toBe(201);
    expect(await clients()).toHaveLength(1);
  });
});
