import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { createMailer } from "#core/kernel";
import { migrate, openSqlite } from "#db";
import type { Database } from "#db";
import { createLog } from "#lib/log";
import { createPeople } from "./people.ts";
import { hasPeople } from "./workspace-store.ts";

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
