import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startIdentityProvider } from "#testing/identity-provider";
import type { IdentityProvider } from "#testing/identity-provider";
import { createVisitor } from "#testing/page-visitor";
import type { Visitor } from "#testing/page-visitor";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let idp: IdentityProvider;
beforeAll(async () => {
  const port = await freePort();
  idp = await startIdentityProvider(`http://localhost:${port}/api/auth/callback/oidc`);
  test = await startTestService({
    PORT: String(port),
    OIDC_ISSUER: idp.issuer,
    OIDC_CLIENT_ID: idp.clientId,
    OIDC_CLIENT_SECRET: idp.clientSecret,
    OIDC_NAME: "Example SSO",
  });
});
afterAll(async () => {
  await test.stop();
  await idp.close();
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** Signs in at the provider like a browser, and returns the final response. */
async function signInAs(person: Partial<IdentityProvider["person"]>, visitor: Visitor) {
  Object.assign(idp.person, { sub: randomUUID(), emailVerified: true, ...person });
  const providerVisitor = createVisitor(idp.issuer);
  const page = await visitor.get("/sign-in?next=%2Ftools");
  expect(page.text).toContain("Sign in with Example SSO");
  const link = /href="(\/sign-in\/with[^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  let { location } = await visitor.get(link);
  for (let hop = 0; hop < 10 && location !== null; hop++) {
    const isOurs = location.startsWith(test.baseUrl) || /^\/(?:tools|sign-in)/.test(location);
    if (isOurs && !location.includes("/api/auth/callback/")) break;
    ({ location } = await (isOurs ? visitor : providerVisitor).get(location));
  }
  return location;
}

const newAddress = () => `${randomUUID()}@example.com`;
const db = () => test.service.context.db.kysely;

describe("single sign-on", () => {
  it("admits an invited user by the email address that the provider has verified", async () => {
    const email = newAddress();
    const path = `/workspaces/${test.workspaceId}/invitations`;
    await test.callAsOwner("POST", path, { email, role: "builder" });
    const visitor = createVisitor(test.baseUrl);
    const sub = randomUUID();
    expect(await signInAs({ sub, email }, visitor)).toBe("/tools");
    const me = await visitor.ask("/api/v1/me");
    expect(await me.json()).toMatchObject({
      user: { email, name: "Sol" },
      workspace: { id: test.workspaceId, role: "builder" },
    });
    const again = createVisitor(test.baseUrl);
    await signInAs({ sub, email }, again);
    expect((await again.ask("/api/v1/me")).status).toBe(200);
    const events = await db()
      .selectFrom("audit_events")
      .select(["action", "details"])
      .where("workspace_id", "=", "server")
      .where("action", "=", "account.sign_in")
      .orderBy("id", "desc")
      .limit(1)
      .execute();
    expect(events).toMatchObject([{ details: '{"how":"callback/oidc"}' }]);
  });

  it("rejects users without an invitation or with an unverified email address", async () => {
    const [uninvited, unproven] = [newAddress(), newAddress()];
    const path = `/workspaces/${test.workspaceId}/invitations`;
    await test.callAsOwner("POST", path, { email: unproven, role: "builder" });
    for (const person of [{ email: uninvited }, { email: unproven, emailVerified: false }]) {
      const visitor = createVisitor(test.baseUrl);
      const location = await signInAs(person, visitor);
      expect(location).toContain("/sign-in?error=");
      expect((await visitor.ask("/api/v1/workspaces")).status).toBe(401);
      const address = new URL(location ?? "", test.baseUrl);
      const shown = await visitor.get(address.pathname + address.search);
      expect(shown.text).toContain("Sign-in failed");
    }
    const rows = await db().selectFrom("users").select("email").execute();
    const emails = rows.map(({ email }) => email);
    expect(emails).not.toContain(uninvited);
    expect(emails).not.toContain(unproven);
  });

  it("takes over no account with an unverified email address", async () => {
    const person = await test.addSignedIn(undefined, "");
    const unproven = test.service.context.db.dialect === "postgres" ? false : 0;
    await db()
      .updateTable("users")
      .set({ email_verified: unproven } as never)
      .where("id", "=", person.userId)
      .execute();
    const visitor = createVisitor(test.baseUrl);
    expect(await signInAs({ email: person.email }, visitor)).toContain("error=");
    expect((await visitor.ask("/api/v1/workspaces")).status).toBe(401);
  });

  it("does not link to an account from an invitation that was not emailed", async () => {
    const email = newAddress();
    const path = `/workspaces/${test.workspaceId}/invitations`;
    const { body } = await test.callAsOwner("POST", path, { email, role: "viewer" });
    const invitation = String(body.url).split("/").at(-1) ?? "";
    const impostor = createVisitor(test.baseUrl);
    const account = { email, name: "Impostor", password: "correct horse battery", invitation };
    expect((await impostor.ask("/api/auth/sign-up/email", account)).status).toBe(200);
    expect((await impostor.ask("/api/v1/me")).status).toBe(200);
    const visitor = createVisitor(test.baseUrl);
    expect(await signInAs({ email }, visitor)).toContain("error=");
    expect((await visitor.ask("/api/v1/workspaces")).status).toBe(401);
  });

  it("stores no token of the provider", async () => {
    const rows = await db()
      .selectFrom("accounts" as never)
      .selectAll()
      .execute();
    const providers = (rows as Record<string, unknown>[]).filter(
      (row) => row["provider_id"] === "oidc",
    );
    expect(providers.length).toBeGreaterThan(0);
    for (const row of providers) {
      expect([row["access_token"], row["refresh_token"], row["id_token"]]).toEqual([
        null,
        null,
        null,
      ]);
    }
  });
});

describe("the first account of a server", () => {
  it("belongs to an owner with a workspace if a provider signs them in", async () => {
    await db().deleteFrom("members").execute();
    await db().deleteFrom("users").execute();
    const visitor = createVisitor(test.baseUrl);
    const email = newAddress();
    expect(await signInAs({ email }, visitor)).toBe("/tools");
    const me = await visitor.ask("/api/v1/me");
    expect(await me.json()).toMatchObject({ user: { email }, workspace: { role: "owner" } });
    const second = createVisitor(test.baseUrl);
    expect(await signInAs({ email: newAddress() }, second)).toContain("/sign-in?error=");
  });
});
