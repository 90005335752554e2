import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "#lib/hash";
import { startMailbox } from "#testing/mailbox";
import type { Mailbox } from "#testing/mailbox";
import { createVisitor } from "#testing/page-visitor";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { totp } from "#testing/totp";

const password = "correct horse battery";
const newAddress = () => `${randomUUID()}@example.com`;
const linkIn = (mail: string) => new URL(/https?:\/\/\S+/.exec(mail)?.[0] ?? "");
const tokenIn = (mail: string) => linkIn(mail).searchParams.get("token") ?? "";

const totpOf = (uri: string) => totp(new URL(uri).searchParams.get("secret") ?? "");

describe("a server with email and open sign-up", () => {
  let test: TestService;
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await startMailbox("toolhost", "mail-password");
    const settings = { SMTP_URL: mailbox.url, SIGN_UP: "open", MAIL_FROM: "Tools <t@example.com>" };
    test = await startTestService(settings);
  });
  afterAll(async () => {
    await test.stop();
    await mailbox.close();
  });

  const db = () => test.service.context.db.kysely;
  const visit = () => createVisitor(test.baseUrl);
  async function join(email: string) {
    const visitor = visit();
    const seen = await visitor.post("/sign-up", { name: "Bo", email, password });
    expect(seen.text).toContain("Check your email");
    const mail = await mailbox.next(email);
    await visitor.post("/verify-email", { token: tokenIn(mail) });
    return visitor;
  }

  it("rejects sign-in until the email address is confirmed", async () => {
    const email = newAddress();
    const visitor = visit();
    const form = await visitor.get("/sign-up");
    expect(form.text).not.toContain("<script");
    await visitor.post("/sign-up", { name: "Bo", email, password });
    const first = await mailbox.next(email);
    expect(first).toContain("From: Tools <t@example.com>");
    const early = await visitor.post("/sign-in", { email, password });
    expect(early.status).toBe(401);
    expect(early.text).toContain("Confirm your email address");
    const mail = await mailbox.next(email);
    const address = linkIn(mail);
    // Opening the link changes nothing, because mail scanners open links.
    expect((await visitor.get(address.pathname + address.search)).text).toContain(
      "Confirm address",
    );
    expect((await visitor.post("/sign-in", { email, password })).status).toBe(401);
    const token = tokenIn(mail);
    expect((await visitor.post("/verify-email", { token })).text).toContain("is confirmed");
    const next = "/oauth/consent?uid=1";
    const signedIn = await visitor.post("/sign-in", { email, password, next });
    expect(signedIn).toMatchObject({ status: 303, location: next });
    const workspaces = await visitor.ask("/api/v1/workspaces");
    expect(await workspaces.json()).toMatchObject([{ name: "Bo's workspace", role: "owner" }]);
    const bad = await visitor.post("/verify-email", { token: `${token}x` });
    expect(bad.status).toBe(400);
  });

  it("does not reveal who has an account", async () => {
    const email = newAddress();
    await join(email);
    const [known, unknown] = await Promise.all(
      [email, newAddress()].map(async (address) => {
        const [up, forgot, wrong] = await Promise.all([
          visit().post("/sign-up", { name: "Bo", email: address, password: "a guess at it" }),
          visit().post("/forgot-password", { email: address }),
          visit().post("/sign-in", { email: address, password: "wrong password" }),
        ]);
        return [up, forgot, wrong].map(({ status, text }) => [
          status,
          text.replaceAll(address, "ADDRESS"),
        ]);
      }),
    );
    expect(known).toEqual(unknown);
  });

  it("resets a password by email once, and signs out everywhere", async () => {
    const email = newAddress();
    const visitor = await join(email);
    await visitor.post("/sign-in", { email, password });
    await visit().post("/forgot-password", { email });
    const token = tokenIn(await mailbox.next(email));
    const rows = await db().selectFrom("verifications").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    const tooShort = await visit().post("/reset-password", { token, password: "short" });
    expect(tooShort.status).toBe(400);
    const renewed = "a better password";
    const done = await visit().post("/reset-password", { token, password: renewed });
    expect(done.text).toContain("signed out everywhere");
    expect((await visitor.ask("/api/v1/workspaces")).status).toBe(401);
    expect((await visitor.post("/sign-in", { email, password })).status).toBe(401);
    expect((await visitor.post("/sign-in", { email, password: renewed })).status).toBe(303);
    const again = await visit().post("/reset-password", { token, password });
    expect(again.status).toBe(400);
    const events = await db()
      .selectFrom("audit_events")
      .select(["action", "details", "ip", "request_id"])
      .where("workspace_id", "=", "server")
      .where("outcome", "=", "success")
      .orderBy("id", "desc")
      .limit(2)
      .execute();
    expect(events).toMatchObject([
      { action: "account.sign_in", ip: "127.0.0.1" },
      { action: "account.change", details: '{"what":"password reset"}' },
    ]);
    expect(events[0]?.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("sends an invitation by email, and adds the person who accepts it", async () => {
    const email = newAddress();
    const invitation = { email, role: "member" };
    const path = `/workspaces/${test.workspaceId}/invitations`;
    const made = await test.callAsOwner("POST", path, invitation);
    expect(made.body.url).toBeNull();
    const mail = await mailbox.next(email);
    const link = linkIn(mail).pathname;
    const visitor = visit();
    const shown = await visitor.get(link);
    expect(shown.text).toContain(email);
    const address = /href="(\/sign-up[^"]+)"/.exec(shown.text)?.[1] ?? "";
    const token = new URL(address, test.baseUrl).searchParams.get("invitation") ?? "";
    expect((await visitor.get(address)).text).toContain(email);
    const fields = { name: "Cy", email, password, invitation: token };
    // The token was sent to the address, so no other proof is needed.
    expect(await visitor.post("/sign-up", fields)).toMatchObject({ status: 303 });
    const workspaces = await visitor.ask("/api/v1/workspaces");
    expect(await workspaces.json()).toMatchObject([{ id: test.workspaceId, role: "member" }]);
    expect((await visit().get(link)).status).toBe(404);
  });

  it("stores only the hash of a session token", async () => {
    const email = newAddress();
    const visitor = await join(email);
    await visitor.post("/sign-in", { email, password });
    const cookie = /session_token=([^;]+)/.exec(visitor.cookies())?.[1] ?? "";
    const token = decodeURIComponent(cookie).split(".")[0] ?? "";
    const rows = await db().selectFrom("sessions").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows.map((row) => row.token)).toContain(sha256(token));
  });

  it("requires the second factor or a backup code, each once", async () => {
    const email = newAddress();
    const visitor = await join(email);
    await visitor.post("/sign-in", { email, password });
    const enabled = await visitor.ask("/api/auth/two-factor/enable", { password });
    const { totpURI, backupCodes } = (await enabled.json()) as {
      totpURI: string;
      backupCodes: string[];
    };
    const verified = await visitor.ask("/api/auth/two-factor/verify-totp", {
      code: totpOf(totpURI),
    });
    expect(verified.status).toBe(200);
    const stored = JSON.stringify(
      await db()
        .selectFrom("two_factors" as never)
        .selectAll()
        .execute(),
    );
    const secret = new URL(totpURI).searchParams.get("secret") ?? "";
    for (const plain of [secret, ...backupCodes]) expect(stored).not.toContain(plain);

    const signIn = async () => {
      const someone = visit();
      const asked = await someone.post("/sign-in", { email, password, next: "/tools" });
      expect(asked).toMatchObject({ status: 303, location: "/sign-in/code?next=%2Ftools" });
      expect((await someone.ask("/api/v1/workspaces")).status).toBe(401);
      return someone;
    };
    const first = await signIn();
    expect((await first.post("/sign-in/code", { code: "000000", next: "/tools" })).status).toBe(
      401,
    );
    const shown = totpOf(totpURI);
    const right = await first.post("/sign-in/code", { code: shown, next: "/tools" });
    expect(right).toMatchObject({ status: 303, location: "/tools" });
    expect((await first.ask("/api/v1/workspaces")).status).toBe(200);
    const replay = await signIn();
    const used = await replay.post("/sign-in/code", { code: shown, next: "/tools" });
    expect(used.status).toBe(401);
    expect((await replay.ask("/api/v1/workspaces")).status).toBe(401);
    const code = backupCodes[0] ?? "";
    const second = await signIn();
    expect((await second.post("/sign-in/code", { code, next: "/" })).status).toBe(303);
    const third = await signIn();
    expect((await third.post("/sign-in/code", { code, next: "/" })).status).toBe(401);
  });

  it("redirects only to this server", async () => {
    const email = newAddress();
    const visitor = await join(email);
    for (const next of [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "/.//evil.example",
    ]) {
      const seen = await visitor.post("/sign-in", { email, password, next });
      const target = new URL(seen.location ?? "", test.baseUrl);
      expect(target.origin).toBe(test.baseUrl);
    }
  });
});

describe("a server with sign-up by invitation", () => {
  let test: TestService;
  beforeAll(async () => {
    test = await startTestService();
  });
  afterAll(() => test.stop());

  const visit = () => createVisitor(test.baseUrl);
  const invite = async (email: string) => {
    const path = `/workspaces/${test.workspaceId}/invitations`;
    const made = await test.callAsOwner("POST", path, { email, role: "viewer" });
    return String(made.body.url).split("/").at(-1) ?? "";
  };

  it("creates an account with both the address and the link of an invitation", async () => {
    const [email, other] = [newAddress(), newAddress()];
    const token = await invite(email);
    const fields = { name: "Di", password };
    const refusals = [
      await visit().post("/sign-up", { ...fields, email }),
      await visit().post("/sign-up", { ...fields, email: other, invitation: token }),
      await visit().post("/sign-up", { ...fields, email, invitation: `${token.slice(1)}x` }),
    ];
    for (const { status, text } of refusals) {
      expect(status).toBe(400);
      expect(text).toContain("accepts sign-ups by invitation only");
    }
    const visitor = visit();
    const [spaced, toSignIn] = [`  ${password} `, encodeURIComponent(`/invitations/${token}`)];
    const form = await visitor.get(`/sign-up?invitation=${token}`);
    expect(form.text).toContain(`/sign-in?next=${toSignIn}`);
    const given = { ...fields, password: spaced, email, invitation: token };
    expect(await visitor.post("/sign-up", given)).toMatchObject({
      status: 303,
      location: `/?workspace=${test.workspaceId}`,
    });
    // It is the password that was typed, and not another one.
    expect((await visit().post("/sign-in", { email, password: spaced })).status).toBe(303);
    expect((await visit().post("/sign-in", { email, password })).status).toBe(401);
    const me = await visitor.ask("/api/v1/me");
    expect(await me.json()).toMatchObject({ workspace: { id: test.workspaceId, role: "viewer" } });
  });

  it("lets a person join who is signed in with the invited address", async () => {
    const person = await test.addSignedIn(undefined, "");
    const link = `/invitations/${await invite(person.email)}`;
    const visitor = visit();
    const toSignIn = `/sign-in?next=${encodeURIComponent(link)}`;
    expect((await visitor.get(link)).text).toContain(toSignIn);
    expect((await visitor.post(link, {})).status).toBe(400);
    await visitor.post("/sign-in", { email: person.email, password: person.password });
    expect((await visitor.get(link)).text).toContain("Join workspace</button>");
    expect(await visitor.post(link, {})).toMatchObject({
      status: 303,
      location: `/?workspace=${test.workspaceId}`,
    });
    expect((await visitor.ask("/api/v1/me")).status).toBe(200);
    expect((await visitor.post(link, {})).status).toBe(404);
  });

  it("requires the second factor of the first owner as well", async () => {
    const visitor = visit();
    await visitor.post("/sign-in", test.person);
    const { password: own } = test.person;
    const enabled = await visitor.ask("/api/auth/two-factor/enable", { password: own });
    const { totpURI } = (await enabled.json()) as { totpURI: string };
    await visitor.ask("/api/auth/two-factor/verify-totp", { code: totpOf(totpURI) });
    const again = visit();
    const asked = await again.post("/sign-in", test.person);
    expect(asked).toMatchObject({ status: 303, location: "/sign-in/code" });
    expect((await again.ask("/api/v1/workspaces")).status).toBe(401);
    await again.post("/sign-in/code", { code: totpOf(totpURI) });
    expect((await again.ask("/api/v1/workspaces")).status).toBe(200);
  });

  it("explains that it cannot send email", async () => {
    const { text } = await visit().get("/forgot-password");
    expect(text).toContain("can&#39;t send you a link");
    expect(text).not.toContain("<form");
  });

  it("rejects forms of another site", async () => {
    const response = await fetch(`${test.baseUrl}/sign-up`, {
      method: "POST",
      headers: { origin: "https://evil.example" },
      body: new URLSearchParams({ name: "E", email: newAddress(), password }),
    });
    expect(response.status).toBe(403);
  });
});

describe("sign-in limits", () => {
  let test: TestService;
  beforeAll(async () => {
    test = await startTestService({
      RATE_LIMIT_FAILED_SIGN_INS_PER_MINUTE: "3",
      RATE_LIMIT_SIGN_INS_PER_MINUTE: "20",
      RATE_LIMIT_MAILS_PER_MINUTE: "2",
      TRUSTED_PROXIES: "127.0.0.1",
    });
  });
  afterAll(() => test.stop());

  const ask = (path: string, body: unknown, from: string) =>
    fetch(`${test.baseUrl}/api/auth${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        origin: test.baseUrl,
        "x-forwarded-for": `6.6.6.6, ${from}`,
        // Clients cannot set this header.
        "x-toolhost-client": "9.9.9.9",
      },
      body: JSON.stringify(body),
    });

  it("limits wrong guesses per account, from any address; correct ones do not count", async () => {
    const person = await test.addSignedIn(undefined, "");
    const right = { email: person.email, password: person.password };
    for (let round = 0; round < 5; round++) {
      const from = `192.0.2.${round}`;
      expect((await ask("/sign-in/email", right, from)).status).toBe(200);
    }
    const wrong = { email: person.email.toUpperCase(), password: "wrong password" };
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      statuses.push((await ask("/sign-in/email", wrong, `192.0.2.${100 + round}`)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    const refused = await ask("/sign-in/email", right, "192.0.2.200");
    expect(refused.status).toBe(429);
    const failures = async () =>
      test.service.context.db.kysely
        .selectFrom("audit_events")
        .select(["workspace_id", "ip"])
        .where("user_id", "=", person.userId)
        .where("outcome", "=", "failure")
        .orderBy("id")
        .execute();
    await expect.poll(async () => (await failures()).length).toBe(3);
    expect(await failures()).toContainEqual({ workspace_id: "server", ip: "192.0.2.100" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const page = await createVisitor(test.baseUrl).post("/sign-in", right);
    expect(page.status).toBe(429);
    // The form still has its values, except the password.
    expect(page.text).toMatch(/Retry in .*<form/s);
    expect(page.text).toContain(person.email);
  });

  it(
    "limits guesses per client address behind a trusted proxy",
    { tags: ["nightly"] },
    async () => {
      const statuses = new Set<number>();
      for (let round = 0; round < 21; round++) {
        const guess = { email: newAddress(), password: "wrong password" };
        statuses.add((await ask("/sign-in/email", guess, "198.51.100.9")).status);
      }
      expect(statuses).toEqual(new Set([401, 429]));
      const elsewhere = { email: newAddress(), password: "wrong password" };
      expect((await ask("/sign-in/email", elsewhere, "198.51.100.10")).status).toBe(401);
      const session = await test.addSignedIn(undefined, "");
      const rows = await test.service.context.db.kysely
        .selectFrom("sessions")
        .select("ip_address")
        .where("user_id", "=", session.userId)
        .execute();
      expect(rows).toEqual([{ ip_address: "127.0.0.1" }]);
    },
  );

  it("limits emails per address", async () => {
    const email = newAddress();
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++) {
      statuses.push((await ask("/request-password-reset", { email }, `203.0.113.${round}`)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});
