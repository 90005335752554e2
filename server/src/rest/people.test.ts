import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const db = () => test.service.context.db.kysely;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe("the sessions API", () => {
  it("lists a user's sessions and revokes them individually", async () => {
    const person = await test.addSignedIn(undefined, "");
    const other = await test.addSignedIn(undefined, "");
    const [mine] = (await person.call("GET", "/sessions")).body;
    expect(mine).toMatchObject({ isCurrent: true, ip: "127.0.0.1" });
    const path = `/sessions/${mine.id}`;
    expect((await other.call("DELETE", path)).status).toBe(404);
    expect((await test.call("DELETE", path)).status).toBe(403);
    expect((await person.call("DELETE", path)).status).toBe(204);
    expect((await person.call("GET", "/sessions")).status).toBe(401);
    expect((await other.call("DELETE", "/sessions/%00")).status).toBe(404);
  });
});

describe("GET /api-keys", () => {
  it("returns all keys to admins, and to other members only their own", async () => {
    const id = await test.addWorkspace();
    const [admin, builder] = await Promise.all([
      test.addSignedIn(id, "admin"),
      test.addSignedIn(id, "builder"),
    ]);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const draft = { name: "Theirs", scopes: ["mcp:read"], expiresAt };
    const made = await builder.call("POST", "/api-keys", draft);
    const list = await admin.call("GET", "/api-keys?owner=anyone");
    expect(list.body).toMatchObject([{ id: made.body.id, userId: builder.userId, expiresAt }]);
    expect((await admin.call("GET", "/api-keys")).body).toEqual([]);
    expect((await builder.call("GET", "/api-keys?owner=anyone")).status).toBe(403);
    const admins = await admin.call("POST", "/api-keys", { name: "Mine", scopes: ["mcp:read"] });
    expect((await builder.call("DELETE", `/api-keys/${admins.body.id}`)).status).toBe(404);
    expect((await test.callAsOwner("DELETE", `/api-keys/${made.body.id}`)).status).toBe(404);
    expect((await admin.call("DELETE", `/api-keys/${made.body.id}`)).status).toBe(204);
    const used = await test.call("GET", "/me", undefined, bearer(made.body.key));
    expect(used.status).toBe(401);
    const events = await admin.call("GET", `/audit-events?target=${made.body.id}&limit=1`);
    expect(events.body).toMatchObject([
      { action: "api_key.revoke", details: { name: "Theirs", userId: builder.userId } },
    ]);
  });
});

describe("GET /me/export", () => {
  it("returns all data of the user as JSON, without secrets or data of others", async () => {
    const id = await test.addWorkspace();
    const [person, colleague] = await Promise.all([
      test.addSignedIn(id, "builder"),
      test.addSignedIn(id, "builder"),
    ]);
    const key = await person.call("POST", "/api-keys", { name: "Laptop", scopes: ["mcp:read"] });
    const secret = { name: "TOKEN", value: "very-secret-value", hosts: ["api.example.com"] };
    await person.call("POST", "/credentials", secret);
    const code = "export default async (input) => ({ echo: input.word })";
    const tool = await person.call("POST", "/tools", { ...draftOf(code), title: "Echo word" });
    await person.call("POST", `/run/${tool.body.name}`, { word: "mine" });
    await colleague.call("POST", `/run/${tool.body.name}`, { word: "not-yours" });
    const exported = await person.call("GET", "/me/export");
    expect(exported.status).toBe(200);
    expect(exported.body).toMatchObject({
      profile: { id: person.userId, email: person.email, signInMethods: ["credential"] },
      workspaces: [
        {
          id,
          role: "builder",
          tools: [{ name: tool.body.name, source: { code } }],
          apiKeys: [{ name: "Laptop", prefix: String(key.body.key).slice(0, 9) }],
          credentials: [{ name: "TOKEN" }],
          runs: [{ input: { word: "mine" }, output: { echo: "mine" }, status: "completed" }],
        },
      ],
    });
    const actions = exported.body.workspaces[0].auditEvents.map(
      ({ action }: { action: string }) => action,
    );
    expect(actions).toEqual(
      expect.arrayContaining(["api_key.create", "tool.create", "run.create"]),
    );
    const events = exported.body.accountEvents.map(({ action }: { action: string }) => action);
    expect(events).toEqual(["account.sign_in", "account.export"]);
    for (const hidden of [
      key.body.key,
      secret.value,
      person.password,
      "not-yours",
      colleague.email,
    ]) {
      expect(exported.text).not.toContain(hidden);
    }
  });
});

describe("DELETE /me", () => {
  const deletion = (password?: string) => (password === undefined ? {} : { password });

  it("requires the password or a recent sign-in", async () => {
    const person = await test.addSignedIn(undefined, "");
    const wrong = await person.call("DELETE", "/me", deletion("wrong password"));
    expect(wrong.status).toBe(403);
    const { context } = test.service;
    const { now } = context.clock;
    context.clock.now = () => Date.now() + 11 * 60_000;
    const late = await person.call("DELETE", "/me", deletion());
    context.clock.now = now;
    expect(late.status).toBe(403);
    expect((await person.call("DELETE", "/me", deletion())).status).toBe(204);
  });

  it("returns last_owner for the last owner of a workspace", async () => {
    const person = await test.addSignedIn(undefined, "");
    const made = await person.call("POST", "/workspaces", { name: "Mine" });
    const refused = await person.call("DELETE", "/me", deletion(person.password));
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe("last_owner");
    expect((await person.call("GET", "/workspaces")).body).toHaveLength(1);
    await person.call("DELETE", `/workspaces/${made.body.id}`, { name: "Mine" });
    expect((await person.call("DELETE", "/me", deletion(person.password))).status).toBe(204);
  });

  it("leaves only an ID in runs and events, and no name or email address", async () => {
    const id = await test.addWorkspace();
    const person = await test.addSignedIn(id, "builder");
    const key = await person.call("POST", "/api-keys", { name: "Key", scopes: ["mcp:read"] });
    const code = "export default async () => ({})";
    const make = async (visibility: string) =>
      String((await person.call("POST", "/tools", { ...draftOf(code), visibility })).body.name);
    const [shared, hidden] = [await make("workspace"), await make("private")];
    const run = await person.call("POST", `/run/${shared}`, {});
    const admin = await test.addSignedIn(id, "admin");
    const again = `/workspaces/${id}/invitations`;
    expect((await person.call("DELETE", "/me", deletion(person.password))).status).toBe(204);
    expect((await person.call("GET", "/sessions")).status).toBe(401);
    const used = await test.call("GET", "/me", undefined, bearer(key.body.key));
    expect(used.status).toBe(401);
    expect((await admin.call("GET", `/tools/${shared}`)).status).toBe(200);
    const rows = await db().selectFrom("tools").selectAll().where("name", "=", hidden).execute();
    expect(rows[0]?.archived_at).not.toBeNull();
    const kept = await db()
      .selectFrom("runs")
      .selectAll()
      .where("id", "=", run.body.runId)
      .execute();
    expect(kept).toMatchObject([{ user_id: person.userId }]);
    const tables = [
      "users",
      "sessions",
      "members",
      "audit_events",
      "runs",
      "api_keys",
      "invitations",
    ] as const;
    for (const table of tables) {
      const text = JSON.stringify(await db().selectFrom(table).selectAll().execute());
      expect([table, text.includes(person.email)]).toEqual([table, false]);
    }
    const events = await db()
      .selectFrom("audit_events")
      .select("workspace_id")
      .where("action", "in", ["account.delete", "member.leave"])
      .where("user_id", "=", person.userId)
      .execute();
    expect(events.map((event) => event.workspace_id).toSorted()).toEqual([id, "server"].toSorted());
    expect((await admin.call("POST", again, { email: person.email, role: "viewer" })).status).toBe(
      201,
    );
  });
});
