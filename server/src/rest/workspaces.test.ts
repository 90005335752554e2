import { randomUUID } from "node:crypto";
import { roles } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweep } from "#core/workspaces";
import { newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const db = () => test.service.context.db.kysely;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** A new workspace with an owner, so that tests do not see each other's members. */
async function makeTeam() {
  const owner = await test.addSignedIn(undefined, "");
  const { body } = await owner.call("POST", "/workspaces", { name: "Team" });
  const id = String(body.id);
  const add = (role: string) => test.addSignedIn(id, role);
  const path = `/workspaces/${id}`;
  return { owner, id, path, add };
}

/** An API key of a user in a workspace. */
async function makeKey({ call }: SignedIn, workspaceId: string): Promise<string> {
  const draft = { name: "Key", scopes: ["mcp:read"] };
  const made = await call("POST", "/api-keys", draft, { "x-workspace-id": workspaceId });
  if (made.status !== 201) throw new Error(made.text);
  return String(made.body.key);
}

/** A connected app of each user in a workspace, as stored by the authorization server; its ID is that of the user. */
async function connectApps(workspaceId: string, userIds: readonly string[]): Promise<void> {
  for (const userId of userIds) {
    const grant = {
      id: userId,
      user_id: userId,
      workspace_id: workspaceId,
      client_id: "client",
      client_name: "App",
      scopes: "mcp:read",
      created_at: 0,
    };
    const record = { id: userId, payload: "{}", created_at: 0 };
    await db().insertInto("oauth_grants").values(grant).execute();
    await db()
      .insertInto("oauth_records")
      .values([
        { ...record, model: "Grant" },
        { ...record, model: "AccessToken", grant_id: userId },
      ])
      .execute();
  }
}

describe("the workspaces API", () => {
  it("lets a signed-in user create, list, rename and switch workspaces", async () => {
    const person = await test.addSignedIn(undefined, "");
    expect((await person.call("GET", "/workspaces")).body).toEqual([]);
    const one = await person.call("POST", "/workspaces", { name: "One" });
    expect(one.status).toBe(201);
    expect(one.body).toMatchObject({ name: "One", role: "owner", memberCount: 1 });
    const two = await person.call("POST", "/workspaces", { name: "Two" });
    const renamed = await person.call("PATCH", `/workspaces/${one.body.id}`, { name: "Uno" });
    expect(renamed.body).toMatchObject({ id: one.body.id, name: "Uno" });
    const list = await person.call("GET", "/workspaces?limit=1");
    expect(list.body).toMatchObject([{ id: two.body.id }]);
    expect(list.headers.get("link")).toContain('rel="next"');
    for (const { body } of [one, two]) {
      const me = await person.call("GET", "/me", undefined, { "x-workspace-id": body.id });
      expect(me.body.workspace.id).toBe(body.id);
    }
  });

  it("refuses API keys and non-members", async () => {
    const { path, id } = await makeTeam();
    const stranger = await test.addSignedIn(undefined, "");
    const member = { role: "viewer" };
    const asked: [string, string, unknown?][] = [
      ["PATCH", path, { name: "Mine" }],
      ["DELETE", path, { name: "Team" }],
      ["POST", `${path}/transfer`, { userId: stranger.userId }],
      ["GET", `${path}/members`],
      ["PATCH", `${path}/members/${stranger.userId}`, member],
      ["DELETE", `${path}/members/${stranger.userId}`],
      ["GET", `${path}/invitations`],
      ["POST", `${path}/invitations`, { email: "a@example.com", ...member }],
      ["DELETE", `${path}/invitations/${randomUUID()}`],
    ];
    for (const [method, address, body] of asked) {
      const [strangers, keys] = [
        await stranger.call(method, address, body),
        await test.call(method, address, body),
      ];
      expect([method, address, strangers.status, keys.status]).toEqual([method, address, 404, 403]);
    }
    const foreign = { "x-workspace-id": id };
    expect((await stranger.call("GET", "/me", undefined, foreign)).status).toBe(404);
    for (const odd of ["server", "%00", "x".repeat(300)]) {
      expect((await stranger.call("GET", `/workspaces/${odd}/members`)).status).toBe(404);
    }
  });
});

describe("a request to manage members", () => {
  const routes: [string, (team: Team) => [string, string, unknown?], readonly string[]][] = [
    ["list members", (t) => ["GET", `${t.path}/members`], roles],
    ["rename", (t) => ["PATCH", t.path, { name: "Team" }], ["owner", "admin"]],
    ["list invitations", (t) => ["GET", `${t.path}/invitations`], ["owner", "admin"]],
    ["invite", (t) => ["POST", `${t.path}/invitations`, invitee("viewer")], ["owner", "admin"]],
    ["invite an admin", (t) => ["POST", `${t.path}/invitations`, invitee("admin")], ["owner"]],
    [
      "change a role",
      (t) => ["PATCH", `${t.path}/members/${t.other.userId}`, { role: "member" }],
      ["owner", "admin"],
    ],
    [
      "make an admin",
      (t) => ["PATCH", `${t.path}/members/${t.other.userId}`, { role: "admin" }],
      ["owner"],
    ],
    ["remove an owner", (t) => ["DELETE", `${t.path}/members/${t.secondOwner.userId}`], ["owner"]],
    [
      "remove a viewer",
      (t) => ["DELETE", `${t.path}/members/${t.other.userId}`],
      ["owner", "admin"],
    ],
    ["hand over", (t) => ["POST", `${t.path}/transfer`, { userId: t.other.userId }], ["owner"]],
    ["delete", (t) => ["DELETE", t.path, { name: "Team" }], ["owner"]],
  ];
  type Team = { path: string; other: SignedIn; secondOwner: SignedIn };
  const invitee = (role: string) => ({ email: `${randomUUID()}@example.com`, role });

  let people: { byRole: Map<string, SignedIn>; other: SignedIn; secondOwner: SignedIn };
  beforeAll(async () => {
    const [other, secondOwner, ...rest] = await Promise.all(
      ["", "", ...roles].map(() => test.addSignedIn(undefined, "")),
    );
    if (other === undefined || secondOwner === undefined)
      throw new Error("A second owner is missing");
    const byRole = rest.map((person, index) => [roles[index] ?? "", person] as const);
    people = { other, secondOwner, byRole: new Map(byRole) };
  });

  async function gather(role: string) {
    const { byRole, other, secondOwner } = people;
    const someone = byRole.get(role);
    if (someone === undefined) throw new Error(`No member has the role ${role}`);
    const id = newId();
    const created_at = Date.now();
    const workspace = { id, name: "Team", slug: id, created_at, tools_revision: 0 };
    await db().insertInto("workspaces").values(workspace).execute();
    const members = [
      { user_id: someone.userId, role },
      { user_id: other.userId, role: "viewer" },
      { user_id: secondOwner.userId, role: "owner" },
    ].map((member) => ({ id: newId(), workspace_id: id, created_at, ...member }));
    await db().insertInto("members").values(members).execute();
    return { someone, team: { path: `/workspaces/${id}`, other, secondOwner } };
  }

  it.each(routes)("requires one of the listed roles to %s", async (_, route, allowed) => {
    const outcomes: Record<string, string | number> = {};
    for (const role of roles) {
      const { someone, team } = await gather(role);
      const [method, address, body] = route(team);
      const { status } = await someone.call(method, address, body);
      outcomes[role] = status < 300 ? "done" : status;
    }
    const expected = roles.map((role) => [role, allowed.includes(role) ? "done" : 403]);
    expect(outcomes).toEqual(Object.fromEntries(expected));
  });
});

describe("member", () => {
  it("loses sessions, keys, apps, credentials and runs when removed", async () => {
    const { owner, id, path, add } = await makeTeam();
    const member = await add("builder");
    const inside = { "x-workspace-id": id };
    const key = await makeKey(member, id);
    const secret = { name: "TOKEN", value: "secret", hosts: ["api.example.com"] };
    expect((await member.call("POST", "/credentials", secret, inside)).status).toBe(201);
    const code = "export default async () => new Promise((r) => setTimeout(r, 60_000))";
    const draft = {
      title: "Waits",
      description: "Waits.",
      inputSchema: { type: "object" },
      source: { language: "typescript", code },
    };
    const tool = await member.call("POST", "/tools", draft, inside);
    const run = await member.call(
      "POST",
      `/run/${tool.body.name}`,
      {},
      {
        ...inside,
        prefer: "respond-async",
      },
    );
    expect(run.body.status).toBe("running");
    expect((await test.call("GET", "/me", undefined, bearer(key))).status).toBe(200);
    await connectApps(id, [member.userId, owner.userId]);
    const removed = await owner.call("DELETE", `${path}/members/${member.userId}`);
    expect(removed.status).toBe(204);
    expect((await test.call("GET", "/me", undefined, bearer(key))).status).toBe(401);
    expect((await member.call("GET", "/tools", undefined, inside)).status).toBe(404);
    const left = await db()
      .selectFrom("credentials")
      .selectAll()
      .where("workspace_id", "=", id)
      .execute();
    expect(left).toEqual([]);
    const grants = await db()
      .selectFrom("oauth_grants")
      .select("user_id")
      .where("workspace_id", "=", id)
      .execute();
    expect(grants).toEqual([{ user_id: owner.userId }]);
    const records = await db().selectFrom("oauth_records").select(["model", "id"]).execute();
    const ofGrants = [`Grant ${owner.userId}`, `AccessToken ${owner.userId}`];
    expect(records.map(({ model, id: of }) => `${model} ${of}`)).toEqual(
      expect.arrayContaining(ofGrants),
    );
    expect(JSON.stringify(records)).not.toContain(member.userId);
    await expect
      .poll(
        async () =>
          (await owner.call("GET", `/runs/${run.body.runId}`, undefined, inside)).body.status,
      )
      .toBe("cancelled");
    // Rejoining does not restore the key.
    await db()
      .insertInto("members")
      .values({
        id: randomUUID(),
        workspace_id: id,
        user_id: member.userId,
        role: "admin",
        created_at: 0,
      })
      .execute();
    expect((await test.call("GET", "/me", undefined, bearer(key))).status).toBe(401);
  });

  it("leaves the workspace, except for the last owner, who can neither leave nor be demoted", async () => {
    const { owner, path, add } = await makeTeam();
    const viewer = await add("viewer");
    expect((await viewer.call("DELETE", `${path}/members/${viewer.userId}`)).status).toBe(204);
    expect((await viewer.call("GET", `${path}/members`)).status).toBe(404);
    const self = `${path}/members/${owner.userId}`;
    for (const refused of [
      await owner.call("DELETE", self),
      await owner.call("PATCH", self, { role: "admin" }),
    ]) {
      expect(refused.status).toBe(409);
      expect(refused.body.code).toBe("last_owner");
    }
    const heir = await add("member");
    const handed = await owner.call("POST", `${path}/transfer`, { userId: heir.userId });
    expect(handed.body).toMatchObject({ userId: heir.userId, role: "owner" });
    expect((await owner.call("DELETE", path, { name: "Team" })).status).toBe(403);
    expect((await owner.call("DELETE", self)).status).toBe(204);
  });

  it("fails to leave at the same time as the only other owner", async () => {
    for (let round = 0; round < 5; round++) {
      const { owner, id, path, add } = await makeTeam();
      const second = await add("owner");
      const leaving = [owner, second].map((each) =>
        each.call("DELETE", `${path}/members/${each.userId}`),
      );
      const statuses = (await Promise.all(leaving)).map(({ status }) => status);
      expect(statuses.toSorted((one, other) => one - other)).toEqual([204, 409]);
      const left = await db()
        .selectFrom("members")
        .selectAll()
        .where("workspace_id", "=", id)
        .execute();
      expect(left).toHaveLength(1);
    }
  });
});

describe("invitation", () => {
  it("requires its email address and link, and works once", async () => {
    const { owner, id, path } = await makeTeam();
    const guest = await test.addSignedIn(undefined, "");
    const other = await test.addSignedIn(undefined, "");
    const draft = { email: guest.email.toUpperCase(), role: "builder" };
    const made = await owner.call("POST", `${path}/invitations`, draft);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ email: guest.email, role: "builder" });
    const token = String(made.body.url).split("/").at(-1) ?? "";
    const rows = await db().selectFrom("invitations").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    const kept = await db().selectFrom("idempotency_records").select("body").execute();
    expect(JSON.stringify(kept)).not.toContain(token);
    const list = await owner.call("GET", `${path}/invitations`);
    expect(list.body).toMatchObject([{ id: made.body.id, invitedBy: owner.userId }]);
    expect(list.text).not.toContain(token);

    const accept = `/invitations/${token}/accept`;
    expect((await other.call("POST", accept)).status).toBe(403);
    const accepted = await guest.call("POST", accept);
    expect(accepted.body).toEqual({ workspaceId: id, name: "Team", role: "builder" });
    expect((await guest.call("POST", accept)).status).toBe(404);
    const me = await guest.call("GET", "/me");
    expect(me.body.workspace).toEqual({ id, name: "Team", role: "builder" });
    const again = await owner.call("POST", `${path}/invitations`, draft);
    expect(again.status).toBe(409);
    expect(again.body.code).toBe("already_member");
    const events = await db()
      .selectFrom("audit_events")
      .select(["action", "details"])
      .where("workspace_id", "=", id)
      .orderBy("id")
      .execute();
    expect(events.map(({ action }) => action)).toEqual([
      "workspace.create",
      "invitation.create",
      "member.join",
    ]);
    expect(JSON.stringify(events)).not.toContain(guest.email);
  });

  it("becomes invalid when revoked, replaced, expired, or its workspace is deleted", async () => {
    const { owner, path } = await makeTeam();
    const guest = await test.addSignedIn(undefined, "");
    const invite = async () => {
      const draft = { email: guest.email, role: "viewer" };
      const { body } = await owner.call("POST", `${path}/invitations`, draft);
      return {
        id: String(body.id),
        accept: `/invitations/${String(body.url).split("/").at(-1)}/accept`,
      };
    };
    const first = await invite();
    const second = await invite();
    expect((await guest.call("POST", first.accept)).status).toBe(404);
    expect((await owner.call("DELETE", `${path}/invitations/${second.id}`)).status).toBe(204);
    expect((await guest.call("POST", second.accept)).status).toBe(404);
    const third = await invite();
    const { context } = test.service;
    const { now } = context.clock;
    context.clock.now = () => Date.now() + 7 * 86_400_000 + 1;
    expect((await guest.call("POST", third.accept)).status).toBe(404);
    context.clock.now = now;
    await owner.call("DELETE", path, { name: "Team" });
    expect((await guest.call("POST", third.accept)).status).toBe(404);
    expect((await guest.call("POST", "/invitations/nonsense/accept")).status).toBe(404);
  });
});

describe("deleted workspace", () => {
  it("is inaccessible immediately, and its data is deleted by the cleanup", async () => {
    const { owner, id, path, add } = await makeTeam();
    const member = await add("builder");
    const inside = { "x-workspace-id": id };
    const key = await makeKey(member, id);
    const draft = {
      title: "Team tool",
      description: "A tool.",
      inputSchema: { type: "object" },
      source: { language: "typescript", code: "export default async () => ({})" },
    };
    const tool = await member.call("POST", "/tools", draft, inside);
    await member.call("POST", `/run/${tool.body.name}`, {}, inside);
    const file = { fileName: "a.txt", mimeType: "text/plain", contentBase64: "YQ==" };
    await member.call("POST", "/upload", file, inside);
    const wrong = await owner.call("DELETE", path, { name: "team" });
    expect(wrong.status).toBe(400);
    expect((await owner.call("DELETE", path, { name: "Team" })).status).toBe(204);
    expect((await test.call("GET", "/me", undefined, bearer(key))).status).toBe(401);
    for (const person of [owner, member]) {
      expect((await person.call("GET", `${path}/members`)).status).toBe(404);
      expect((await person.call("GET", "/tools", undefined, inside)).status).toBe(404);
      expect((await person.call("GET", "/workspaces")).body).toEqual([]);
    }
    const count = async (table: "runs" | "files" | "tool_versions" | "audit_events") =>
      (await db().selectFrom(table).selectAll().where("workspace_id", "=", id).execute()).length;
    for (let round = 0; round < 3; round++) {
      await db().deleteFrom("task_locks").execute();
      await sweep(test.service.context, new AbortController().signal);
    }
    expect([await count("runs"), await count("files"), await count("tool_versions")]).toEqual([
      0, 0, 0,
    ]);
    expect(await count("audit_events")).toBeGreaterThan(3);
    const row = await db()
      .selectFrom("workspaces")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    expect(row).toMatchObject({ name: "" });
  });
});
