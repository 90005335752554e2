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

describe("credentials", () => {
  it("are kept, listed without their value, and deleted", async () => {
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

  it("have a name once for each owner", async () => {
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

  it("of a person are nobody else's, and those of the workspace are its administrators' to change", async () => {
    await test.call("POST", "/credentials", draft("MINE"));
    await test.call("POST", "/credentials", draft("OURS", { owner: "workspace" }));
    const { apiKey } = await test.addPerson(test.workspaceId, "builder");
    const headers = asKey(apiKey);
    const { body } = await test.call("GET", "/credentials", undefined, headers);
    expect(body.map(({ name }: { name: string }) => name)).toEqual(["OURS"]);
    const refusals = [
      await test.call("DELETE", "/credentials/MINE", undefined, headers),
      await test.call("DELETE", "/credentials/OURS", undefined, headers),
      await test.call("POST", "/credentials", draft("THEIRS", { owner: "workspace" }), headers),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([404, 403, 403]);
    const elsewhere = await test.addPerson(await test.addWorkspace(), "owner");
    const theirs = await test.call("GET", "/credentials", undefined, asKey(elsewhere.apiKey));
    expect(theirs.body).toEqual([]);
  });

  it("are refused when they are not well formed", async () => {
    const wrong = [
      draft("lower"),
      draft("NO_HOSTS", { hosts: [] }),
      draft("BAD_HOST", { hosts: ["https://example.com/path"] }),
      draft("EMPTY", { value: "" }),
      draft("SHORT", { value: "abc" }),
      draft("OWNER", { owner: "everybody" }),
    ];
    for (const body of wrong) {
      expect((await test.call("POST", "/credentials", body)).status).toBe(400);
    }
  });

  it("are encrypted in the database, each under a key of its own, and audited without their value", async () => {
    const { db } = test.service.context;
    const created = await test.call("POST", "/credentials", draft("HIDDEN", { value: "s3cr3t-x" }));
    await test.call("POST", "/credentials", draft("HIDDEN_TOO", { value: "s3cr3t-x" }));
    const tables = ["credentials", "audit_events", "idempotency_records"] as const;
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
