import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const draft = (name: string, more: object = {}) => ({
  name,
  value: `value of ${name}`,
  hosts: ["api.example.com"],
  ...more,
});

const asKey = (key: string) => ({ authorization: `Bearer ${key}` });

describe("the credentials API", () => {
  it("creates, lists without the value, and deletes credentials", async () => {
    const created = await test.call("POST", "/credentials", draft("WEATHER_KEY"));
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      name: "WEATHER_KEY",
      owner: "user",
      hosts: ["api.example.com"],
      lastUsedAt: null,
    });
    const { text, body } = await test.call("GET", "/credentials");
    expect(body).toEqual([created.body]);
    expect(created.text + text).not.toContain("value of");
    expect((await test.call("DELETE", "/credentials/WEATHER_KEY")).status).toBe(204);
    expect((await test.call("GET", "/credentials")).body).toEqual([]);
    expect((await test.call("DELETE", "/credentials/WEATHER_KEY")).status).toBe(404);
  });

  it("requires a unique name per owner", async () => {
    await test.call("POST", "/credentials", draft("TWICE"));
    const again = await test.call("POST", "/credentials", draft("TWICE", { value: "other" }));
    expect([again.status, again.body.code]).toEqual([409, "credential_name_taken"]);
    const shared = await test.call("POST", "/credentials", draft("TWICE", { owner: "workspace" }));
    expect(shared.status).toBe(201);
    expect((await test.call("DELETE", "/credentials/TWICE")).status).toBe(204);
    const { body } = await test.call("GET", "/credentials");
    expect(body).toMatchObject([{ name: "TWICE", owner: "workspace" }]);
    const mine = await test.call("DELETE", "/credentials/TWICE?owner=user");
    expect(mine.status).toBe(404);
    expect((await test.call("DELETE", "/credentials/TWICE?owner=workspace")).status).toBe(204);
  });

  it("updates a credential in place, with new hosts if sent", async () => {
    const created = await test.call("POST", "/credentials", draft("ROTATED"));
    const replaced = await test.call("PUT", "/credentials/ROTATED", { value: "n3xt-value" });
    expect(replaced.status).toBe(200);
    expect(replaced.body).toEqual(created.body);
    const hosts = ["other.example.com", "*.example.org"];
    const moved = await test.call("PUT", "/credentials/ROTATED", { value: "n3xt-value", hosts });
    expect(moved.body).toEqual({ ...created.body, hosts });
    const { db } = test.service.context;
    const tables = [
      "credentials",
      "audit_events",
      "unsealed_run_events",
      "idempotency_records",
    ] as const;
    const rows = await Promise.all(
      tables.map((table) => db.kysely.selectFrom(table).selectAll().execute()),
    );
    expect(JSON.stringify(rows) + replaced.text + moved.text).not.toContain("n3xt-value");
    const events = await test.call("GET", `/audit-events?target=${created.body.id}&limit=1`);
    expect(events.body).toMatchObject([
      {
        action: "credential.replace",
        details: { name: "ROTATED", owner: "user", hosts: hosts.join(" ") },
      },
    ]);
    const gone = await test.call("PUT", "/credentials/NOT_THERE", { value: "n3xt-value" });
    expect([gone.status, gone.body.code]).toEqual([404, "not_found"]);
    const oauth2 = {
      grantType: "authorization_code",
      clientId: "client",
      authorizationUrl: "https://example.com/authorize",
      tokenUrl: "https://example.com/token",
    };
    const token = draft("TOKEN", { oauth2, value: undefined });
    expect((await test.call("POST", "/credentials", token)).status).toBe(201);
    const refused = await test.call("PUT", "/credentials/TOKEN", { value: "n3xt-value" });
    expect(refused.body).toMatchObject({
      status: 400,
      detail: expect.stringContaining("Reconnect it"),
    });
    await test.call("DELETE", "/credentials/TOKEN");
    await test.call("DELETE", "/credentials/ROTATED");
  });

  it("replaces a value once per Idempotency-Key; the later of two concurrent updates wins", async () => {
    await test.call("POST", "/credentials", draft("ONCE"));
    const { db } = test.service.context;
    const revision = async () => {
      const rows = db.kysely.selectFrom("credentials").select("revision");
      return (await rows.where("name", "=", "ONCE").executeTakeFirstOrThrow()).revision;
    };
    const before = await revision();
    const headers = { "idempotency-key": "22222222-2222-4222-8222-222222222222" };
    const put = (value: string, more = {}) =>
      test.call("PUT", "/credentials/ONCE", { value }, more);
    const first = await put("value-1", headers);
    const again = await put("value-1", headers);
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect((await put("value-2", headers)).body.code).toBe("idempotency_key_reused");
    expect(await revision()).toBe(before + 1);
    const both = await Promise.all([put("value-3"), put("value-4"), put("value-5")]);
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await revision()).toBe(before + 4);
    await test.call("DELETE", "/credentials/ONCE");
  });

  it("hides users' own credentials from others, and lets only admins change workspace credentials", async () => {
    await test.call("POST", "/credentials", draft("MINE"));
    await test.call("POST", "/credentials", draft("OURS", { owner: "workspace" }));
    const { apiKey } = await test.addPerson(test.workspaceId, "builder");
    const headers = asKey(apiKey);
    const { body } = await test.call("GET", "/credentials", undefined, headers);
    expect(body.map(({ name }: { name: string }) => name)).toEqual(["OURS"]);
    const value = { value: "not yours" };
    const refusals = [
      await test.call("DELETE", "/credentials/MINE", undefined, headers),
      await test.call("DELETE", "/credentials/OURS", undefined, headers),
      await test.call("PUT", "/credentials/MINE", value, headers),
      await test.call("PUT", "/credentials/OURS", value, headers),
      await test.call("POST", "/credentials", draft("THEIRS", { owner: "workspace" }), headers),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([404, 403, 404, 403, 403]);
    const elsewhere = await test.addPerson(await test.addWorkspace(), "owner");
    const theirs = await test.call("GET", "/credentials", undefined, asKey(elsewhere.apiKey));
    expect(theirs.body).toEqual([]);
    const reached = await test.call("PUT", "/credentials/OURS", value, asKey(elsewhere.apiKey));
    expect(reached.status).toBe(404);
    const ours = await test.call("PUT", "/credentials/OURS?owner=workspace", value);
    expect(ours.body).toMatchObject({ name: "OURS", owner: "workspace" });
  });

  it("rejects malformed credentials", async () => {
    const wrong = [
      draft("lower"),
      draft("NO_HOSTS", { hosts: [] }),
      draft("BAD_HOST", { hosts: ["https://example.com/path"] }),
      draft("EMPTY", { value: "" }),
      draft("SHORT", { value: "abc" }),
      draft("OWNER", { owner: "everyone" }),
    ];
    for (const body of wrong) {
      expect((await test.call("POST", "/credentials", body)).status).toBe(400);
    }
    await test.call("POST", "/credentials", draft("WELL_FORMED"));
    for (const body of [{}, { value: "abc" }, { value: "good", hosts: [] }, draft("WELL_FORMED")]) {
      expect((await test.call("PUT", "/credentials/WELL_FORMED", body)).status).toBe(400);
    }
  });

  it("encrypts each value with its own data key, and audits changes without the value", async () => {
    const { db } = test.service.context;
    const created = await test.call("POST", "/credentials", draft("HIDDEN", { value: "s3cr3t-x" }));
    await test.call("POST", "/credentials", draft("HIDDEN_TOO", { value: "s3cr3t-x" }));
    const tables = [
      "credentials",
      "audit_events",
      "unsealed_run_events",
      "idempotency_records",
    ] as const;
    const rows = await Promise.all(
      tables.map((table) => db.kysely.selectFrom(table).selectAll().execute()),
    );
    expect(JSON.stringify(rows)).not.toContain("s3cr3t-x");
    const wrapped = await db.kysely.selectFrom("credentials").select("wrapped_key").execute();
    expect(new Set(wrapped.map(({ wrapped_key }) => wrapped_key)).size).toBe(wrapped.length);
    const { body } = await test.call("GET", `/audit-events?target=${created.body.id}`);
    expect(body).toMatchObject([
      { action: "credential.create", details: { name: "HIDDEN", owner: "user" } },
    ]);
  });
});
