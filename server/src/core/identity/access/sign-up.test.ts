import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "#config";
import { createMailer } from "#core/kernel";
import { migrate, openSqlite } from "#db";
import type { Database } from "#db";
import { createLog } from "#lib/log";
import { createPeople } from "./people.ts";
import { findMemberships, findPersonByEmail, hasPeople } from "./workspace-store.ts";

describe("the first sign-up", () => {
  const log = createLog("silent");
  const rootSecret = randomBytes(32);
  let folder: string;
  let db: Database;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "toolhost-sign-up-"));
    db = openSqlite(join(folder, "toolhost.db"));
    await migrate(db);
  });
  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const open = (baseUrl: string, HOST = "127.0.0.1") => {
    const config = readConfig({ BASE_URL: baseUrl, DATA_DIR: folder, HOST });
    return createPeople({ db, config, rootSecret, log, mailer: createMailer(config, log) });
  };
  const signUp = (baseUrl: string, invitation?: string | null) =>
    open(baseUrl).handle(
      new Request(`${baseUrl}/api/auth/sign-up/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: baseUrl },
        body: JSON.stringify({
          name: "Ada",
          email: "ada@example.com",
          password: "correct horse",
          ...(invitation == null ? {} : { invitation }),
        }),
      }),
    );

  it.each(["https://tools.example.com", "http://192.0.2.1:3000"])(
    "needs the setup link at %s",
    async (baseUrl) => {
      for (const token of [undefined, "", "guessed"]) {
        const refused = await signUp(baseUrl, token);
        expect(refused.status).toBe(403);
        expect(await refused.json()).toMatchObject({ code: "SETUP_LINK_REQUIRED" });
      }
      expect(await hasPeople(db)).toBe(false);
      const token = new URL(open(baseUrl).setupPath, baseUrl).searchParams.get("invitation");
      expect((await signUp(baseUrl, token)).status).toBe(200);
      expect(await hasPeople(db)).toBe(true);
    },
  );

  /** Fails the first write to a table, as if the process were killed before it. */
  async function signUpUntil(table: string, baseUrl: string, token: string | null) {
    await sql`create trigger killed before insert on ${sql.ref(table)}
      begin select raise(abort, 'killed'); end`.execute(db.kysely);
    const response = await signUp(baseUrl, token).catch(() => undefined);
    await sql`drop trigger killed`.execute(db.kysely);
    expect(response?.status ?? 500).toBeGreaterThanOrEqual(400);
    expect(await findPersonByEmail(db, "ada@example.com")).toBeDefined();
  }

  it("works again after it was interrupted before the account could sign in", async () => {
    const baseUrl = "https://tools.example.com";
    const token = new URL(open(baseUrl).setupPath, baseUrl).searchParams.get("invitation");
    await signUpUntil("accounts", baseUrl, token);
    expect(await hasPeople(db)).toBe(false);
    expect((await signUp(baseUrl, "guessed")).status).toBe(403);
    // Another sign-up with this address may be in progress.
    expect((await signUp(baseUrl, token)).status).toBe(422);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    try {
      expect((await signUp(baseUrl, token)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
    const person = await findPersonByEmail(db, "ada@example.com");
    expect(await findMemberships(db, person?.id ?? "")).toMatchObject([{ role: "owner" }]);
  });

  it("leaves an account that can sign in after it was interrupted before its workspace", async () => {
    const baseUrl = "http://localhost:3000";
    await signUpUntil("workspaces", baseUrl, null);
    const post = (path: string, body: object) =>
      open(baseUrl).handle(
        new Request(`${baseUrl}/api/auth${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", origin: baseUrl },
          body: JSON.stringify(body),
        }),
      );
    const account = { email: "ada@example.com", password: "correct horse" };
    expect((await post("/sign-in/email", account)).status).toBe(200);
    // No other user becomes the first owner.
    const other = { email: "bo@example.com", password: "correct horse", name: "Bo" };
    expect((await post("/sign-up/email", other)).status).toBe(403);
  });

  it("works again on a server whose owner has deleted their account", async () => {
    const baseUrl = "http://localhost:3000";
    expect((await signUp(baseUrl)).status).toBe(200);
    const person = await findPersonByEmail(db, "ada@example.com");
    const userId = person?.id ?? "";
    await db.kysely.deleteFrom("members").where("user_id", "=", userId).execute();
    await db.kysely.deleteFrom("users").where("id", "=", userId).execute();
    expect((await signUp(baseUrl)).status).toBe(200);
    const renewed = await findPersonByEmail(db, "ada@example.com");
    expect(await findMemberships(db, renewed?.id ?? "")).toHaveLength(1);
  });

  it("needs the setup link if the service listens for other machines", async () => {
    const { setupPath } = open("http://localhost:3000", "0.0.0.0");
    expect(setupPath).toMatch(/^\/sign-up\?invitation=.{32}$/);
  });

  it.each(["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])(
    "needs no setup link at %s",
    async (baseUrl) => {
      expect(open(baseUrl).setupPath).toBe("/sign-up");
      expect((await signUp(baseUrl)).status).toBe(200);
    },
  );
});
