import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  addLinked,
  answersIn,
  connectTeam,
  runChatTask,
  authorizeInSlack,
  installWith,
  findLinkUrl,
  linkUser,
  drainInbox,
  soon,
  confirmLink,
} from "#testing/chat";
import { newId } from "#lib/ids";
import { buttonsOf, pressValue } from "#testing/chat-press";
import { addUser, startFakeSlack } from "#testing/fake-slack";
import type { FakeMessage, FakeSlack, FakeTeam, FakeUser } from "#testing/fake-slack";
import { createVisitor } from "#testing/page-visitor";
import { startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";

let test: TestService;
let slack: FakeSlack;
let tool: string;

beforeAll(async () => {
  slack = await startFakeSlack();
  test = await startTestService(slack.settings);
  slack.appUrl = test.baseUrl;
  tool = await test.makeTool("export default async (input) => ({ got: input });");
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});

const chatOf = (workspaceId = test.workspaceId) => `/workspaces/${workspaceId}/chat`;

/** The state of a team's connection; undefined if it is not connected. */
async function stateOf(team: FakeTeam) {
  const { body } = await test.callAsOwner("GET", chatOf());
  return (body as { id: string; teamId: string; state: string; problem: string | null }[]).find(
    ({ teamId }) => teamId === team.id,
  );
}

const visit = (callback: string, cookie: string) =>
  fetch(callback, { headers: { cookie }, redirect: "manual" });

describe("an app that was installed with an earlier manifest", () => {
  it("is listed with the scopes that it lacks, and still answers", async () => {
    const team = slack.addTeam("Outdated");
    const id = await connectTeam(test, team);
    expect(await stateOf(team)).toMatchObject({ missingScopes: [] });
    const lacking = ["assistant:write", "files:write", "reactions:write"];
    for (const scope of lacking) team.scopes.delete(scope);
    await test.service.context.db.kysely
      .updateTable("chat_connections")
      .set({ scopes: [...team.scopes].join(" ") })
      .where("id", "=", id)
      .execute();
    expect(await stateOf(team)).toMatchObject({ missingScopes: lacking });
    const { user } = await addLinked(test, slack, team, "member");
    const { ts } = await slack.mention(team, user, `run ${tool} {}`);
    await vi.waitUntil(() => answersIn(team, ts).length > 0, soon);
    await drainInbox(test);
    const { body } = await test.callAsOwner("GET", `${chatOf()}/dead-letters`);
    expect(body).toEqual([]);
  });
});

describe("connecting a team", () => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await test.addSignedIn(test.workspaceId, "admin");
  });

  it("connects it to the workspace with an encrypted token", async () => {
    const team = slack.addTeam("Engineering");
    const id = await connectTeam(test, team);
    const state = await stateOf(team);
    expect(state).toMatchObject({
      id,
      platform: "slack",
      teamName: "Engineering",
      state: "active",
    });
    const { db, envelopes } = test.service.context;
    const rows = await db.kysely.selectFrom("chat_connections").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("xoxb-");
    const row = rows.find((one) => one.id === id);
    const sealed = {
      sealedValue: row?.sealed_value ?? "",
      wrappedKey: row?.wrapped_key ?? "",
      keyId: row?.key_id ?? "",
    };
    expect(envelopes.open(sealed, id)).toBe(team.token);
    expect(() => envelopes.open(sealed, "another row")).toThrow(/authenticate/);
    const events = await test.call("GET", "/audit-events?action=chat.connect&limit=1");
    expect(events.body[0]).toMatchObject({ target: id, details: { team: team.id } });
    expect(events.text).not.toContain("xoxb-");
  });

  it("accepts a state once, and no unknown state", async () => {
    const { callback, cookies } = await authorizeInSlack(test, slack.addTeam("Once"));
    expect((await visit(callback, cookies)).status).toBe(200);
    expect((await visit(callback, cookies)).status).toBe(404);
    const forged = new URL(callback);
    forged.searchParams.set("state", "forged");
    expect((await visit(forged.href, cookies)).status).toBe(404);
  });

  it("returns 403 in another browser and for another person", async () => {
    const team = slack.addTeam("Bound");
    const { callback, cookies } = await authorizeInSlack(test, team);
    expect((await visit(callback, test.cookie)).status).toBe(403);
    const theirs = cookies.replace(test.cookie, admin.cookie);
    expect((await visit(callback, theirs)).status).toBe(403);
    const strangers = await visit(callback, cookies.replace(test.cookie, ""));
    expect([strangers.status, strangers.headers.get("location")]).toEqual([
      303,
      expect.stringContaining("/sign-in?next="),
    ]);
    expect(await stateOf(team)).toBeUndefined();
    expect((await visit(callback, cookies)).status).toBe(200);
  });

  it("returns 404 after ten minutes", async () => {
    const { callback, cookies } = await authorizeInSlack(test, slack.addTeam("Late"));
    const { db } = test.service.context;
    await db.kysely.updateTable("chat_attempts").set({ expires_at: 1 }).execute();
    expect((await visit(callback, cookies)).status).toBe(404);
  });

  it("returns 403 for a person who is no longer an admin", async () => {
    const { callback, cookies } = await authorizeInSlack(test, slack.addTeam("Demoted"), admin);
    const { db } = test.service.context;
    await db.kysely
      .updateTable("members")
      .set({ role: "builder" })
      .where("user_id", "=", admin.userId)
      .execute();
    expect((await visit(callback, cookies)).status).toBe(403);
    const refused = await admin.call("POST", `${chatOf()}/slack/connect`);
    expect(refused.body).toMatchObject({ status: 403, code: "forbidden" });
  });

  it("reports what Slack refused", async () => {
    const team = slack.addTeam("Refusing");
    const { callback, cookies } = await authorizeInSlack(test, team);
    const denied = new URL(callback);
    denied.searchParams.delete("code");
    denied.searchParams.set("error", "access_denied");
    const refused = await visit(denied.href, cookies);
    expect(refused.status).toBe(422);
    const page = await refused.text();
    expect(page).toContain("Not connected");
    expect(page).toContain("Back to settings");
    const again = await authorizeInSlack(test, team);
    const wrong = new URL(again.callback);
    wrong.searchParams.set("code", "wrong");
    expect((await visit(wrong.href, again.cookies)).status).toBe(422);
    // A token of a whole organization would also cover teams without consent.
    team.isOfOrganization = true;
    expect((await installWith(test, team)).status).toBe(422);
    expect(await stateOf(team)).toBeUndefined();
  });

  it("returns 409 for a team of another workspace until it is disconnected", async () => {
    const team = slack.addTeam("Wanted");
    const connectionId = await connectTeam(test, team);
    const firstToken = team.token;
    const elsewhere = await test.addWorkspace();
    const other = await test.addSignedIn(elsewhere, "owner");
    const taken = await installWith(test, team, other, elsewhere);
    expect(taken.status).toBe(409);
    expect(await taken.text()).toContain("connected to another workspace");
    expect(await stateOf(team)).toMatchObject({ state: "active" });
    team.token = firstToken;
    expect((await test.callAsOwner("DELETE", `${chatOf()}/${connectionId}`)).status).toBe(204);
    expect((await installWith(test, team, other, elsewhere)).status).toBe(200);
    const { body } = await other.call("GET", chatOf(elsewhere));
    expect(body).toMatchObject([{ teamId: team.id, state: "active" }]);
  });

  it("returns 404 on a server without Slack settings", async () => {
    const bare = await startTestService();
    try {
      expect((await bare.callAsOwner("GET", chatOf(bare.workspaceId))).body).toEqual([]);
      const platforms = await bare.callAsOwner("GET", `${chatOf(bare.workspaceId)}/platforms`);
      expect(platforms.body[0]).toMatchObject({
        platform: "slack",
        isConfigured: false,
        providesEmails: true,
      });
      const started = await bare.callAsOwner("POST", `${chatOf(bare.workspaceId)}/slack/connect`);
      expect(started.status).toBe(404);
      const event = await fetch(`${bare.baseUrl}/bot/slack/events`, { method: "POST" });
      expect(event.status).toBe(404);
      const manifest = await (await fetch(`${bare.baseUrl}/bot/slack/manifest`)).json();
      expect(manifest).toMatchObject({
        oauth_config: { redirect_urls: [`${bare.baseUrl}/bot/slack/callback`] },
        settings: { event_subscriptions: { request_url: `${bare.baseUrl}/bot/slack/events` } },
      });
    } finally {
      await bare.stop();
    }
  });
});

describe("disconnecting", () => {
  let person: SignedIn;
  beforeAll(async () => {
    person = await test.addSignedIn(test.workspaceId, "member");
  });

  it("revokes the token, removes links, and ignores later messages", async () => {
    const team = slack.addTeam("Leaving");
    const id = await connectTeam(test, team);
    const { call } = person;
    const user = await linkUser(test, slack, team, person);
    expect((await call("GET", "/chat-links")).body).toHaveLength(1);
    expect((await test.callAsOwner("DELETE", `${chatOf()}/${id}`)).status).toBe(204);
    expect(await stateOf(team)).toBeUndefined();
    expect((await call("GET", "/chat-links")).body).toEqual([]);
    const { ts } = await slack.mention(team, user, "are you there");
    await runChatTask(test, "revoking tokens of disconnected chats");
    expect(team.token).toBeUndefined();
    await drainInbox(test);
    expect(answersIn(team, ts)).toEqual([]);
  });

  it("happens when the app is removed; a late event changes nothing", async () => {
    const team = slack.addTeam("Removing");
    await connectTeam(test, team);
    await slack.deliver(team, { type: "app_uninstalled" });
    await drainInbox(test);
    expect(await stateOf(team)).toMatchObject({ state: "active" });
    team.token = undefined;
    await slack.deliver(team, { type: "tokens_revoked", tokens: { bot: [team.botUserId] } });
    await vi.waitFor(async () => {
      expect(await stateOf(team)).toMatchObject({ state: "broken" });
    }, soon);
    const events = await test.call("GET", "/audit-events?action=chat.break&limit=1");
    expect(events.body[0]).toMatchObject({ via: "system", details: { team: team.id } });
  });

  it("is detected when the token was revoked silently; the message becomes a dead letter", async () => {
    const team = slack.addTeam("Silent");
    const id = await connectTeam(test, team);
    const user = await linkUser(test, slack, team, person);
    team.token = undefined;
    const { ts } = await slack.mention(team, user, `run ${tool} {"late": 1}`);
    await vi.waitFor(async () => {
      expect(await stateOf(team)).toMatchObject({
        state: "broken",
        problem: expect.stringMatching(/invalid_auth/),
      });
    }, soon);
    const { db } = test.service.context;
    const rows = db.kysely.selectFrom("chat_connections").selectAll().where("id", "=", id);
    expect(await rows.executeTakeFirst()).toMatchObject({ sealed_value: null, key_id: null });
    const path = `${chatOf()}/dead-letters`;
    const [deadLetter] = (await test.callAsOwner("GET", path)).body as { id: string }[];
    expect(await connectTeam(test, team)).toBe(id);
    expect((await test.callAsOwner("POST", `${path}/${deadLetter?.id ?? ""}/requeue`)).status).toBe(
      204,
    );
    await vi.waitUntil(() => answersIn(team, ts).length === 1, soon);
  });

  it("happens when the workspace is deleted", async () => {
    const team = slack.addTeam("Doomed");
    const owner = await test.addSignedIn(undefined, "");
    const made = await owner.call("POST", "/workspaces", { name: "Doomed" });
    const workspaceId = String(made.body.id);
    expect((await installWith(test, team, owner, workspaceId)).status).toBe(200);
    await owner.call("DELETE", `/workspaces/${workspaceId}`, { name: "Doomed" });
    await runChatTask(test, "revoking tokens of disconnected chats");
    expect(team.token).toBeUndefined();
  });
});

describe("a chat user", () => {
  let team: FakeTeam;
  let connectionId: string;
  /** A member without a chat link, and a user outside of the workspace. */
  let member: SignedIn;
  let outsider: SignedIn;
  beforeAll(async () => {
    team = slack.addTeam("People");
    connectionId = await connectTeam(test, team);
    member = await test.addSignedIn(test.workspaceId, "member");
    outsider = await test.addSignedIn(undefined, "");
  });
  beforeEach(() => {
    team.ephemerals.length = 0;
  });
  const linkByEmail = (isOn: boolean) =>
    test.callAsOwner("PATCH", `${chatOf()}/${connectionId}`, { linkByEmail: isOn });
  const receivesLink = (user: string) => vi.waitUntil(() => findLinkUrl(team, user), soon);

  it("receives an ephemeral account link if unknown, and nothing runs", async () => {
    const user = addUser(team, "nobody@example.com");
    const { ts } = await slack.mention(team, user, `run ${tool}`);
    expect(await receivesLink(user)).toContain("/bot/link?token=");
    expect(answersIn(team, ts)).toEqual([]);
    expect(team.ephemerals.every((one) => one.user === user)).toBe(true);
  });

  it("is linked on a page by its button, once", async () => {
    const person = await test.addSignedIn(test.workspaceId, "member");
    const user = addUser(team, "ada@example.com", { name: "<b>Ada</b>" });
    await slack.mention(team, user, "hello");
    const address = await receivesLink(user);
    const visitor = createVisitor(test.baseUrl);
    const path = address.slice(test.baseUrl.length);
    expect(await visitor.get(path)).toMatchObject({
      status: 303,
      location: expect.stringContaining("/sign-in?next="),
    });
    await visitor.ask("/api/auth/sign-in/email", {
      email: person.email,
      password: person.password,
    });
    const page = await visitor.get(path);
    expect(page.status).toBe(200);
    // The page names both accounts. A display name alone is not enough, because the chat user chose it.
    const named = ["Slack", "People", "&lt;b&gt;Ada&lt;/b&gt;", user, person.email];
    for (const words of [...named, "on your behalf", "only if you asked the bot", "Not you?"]) {
      expect(page.text.replaceAll(/\s+/g, " ")).toContain(words);
    }
    expect((await person.call("GET", "/chat-links")).body).toEqual([]);
    const token = new URL(address).searchParams.get("token") ?? "";
    const hidden = /name="person" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const foreign = await fetch(`${test.baseUrl}/bot/link`, {
      method: "POST",
      headers: { origin: "https://evil.example", cookie: person.cookie },
      body: new URLSearchParams({ token, person: hidden }),
    });
    expect(foreign.status).toBe(403);
    // Another user who signed in since has not seen the page, and no form field can select another chat user.
    const seen = { token, person: hidden };
    expect((await visitor.post("/bot/link", { token })).status).toBe(403);
    expect((await visitor.post("/bot/link", { ...seen, person: newId() })).status).toBe(403);
    const others = { chatUserId: "U1", chat_user_id: "U1", user: "U1", connection_id: newId() };
    expect((await visitor.post("/bot/link", { ...others, ...seen })).status).toBe(200);
    expect((await visitor.post("/bot/link", seen)).status).toBe(404);
    expect((await person.call("GET", "/chat-links")).body).toMatchObject([
      { chatUserId: user, platform: "slack", how: "person", workspaceId: test.workspaceId },
    ]);
  });

  it("fails to be linked to a person outside of the workspace", async () => {
    const user = addUser(team, outsider.email);
    await slack.mention(team, user, "hello");
    expect((await confirmLink(test, await receivesLink(user), outsider)).status).toBe(403);
  });

  it("has the current role of their person: viewers and former members run nothing", async () => {
    const { user, userId } = await addLinked(test, slack, team, "member");
    const { db } = test.service.context;
    const members = db.kysely.updateTable("members").where("user_id", "=", userId);
    await members.set({ role: "viewer" }).execute();
    const asViewer = await slack.mention(team, user, `run ${tool}`);
    const [answer] = await vi.waitUntil(() => {
      const answers = answersIn(team, asViewer.ts);
      return answers.length > 0 && answers;
    }, soon);
    expect(JSON.stringify(answer?.blocks)).toContain("Your role in this workspace");
    await test.callAsOwner("DELETE", `/workspaces/${test.workspaceId}/members/${userId}`);
    team.ephemerals.length = 0;
    const asFormerMember = await slack.mention(team, user, `run ${tool}`);
    await receivesLink(user);
    expect(answersIn(team, asFormerMember.ts)).toEqual([]);
  });

  it("is linked by a confirmed email address only where an admin allows it", async () => {
    const person = await test.addSignedIn(test.workspaceId, "member");
    const user = addUser(team, person.email.toUpperCase());
    await slack.mention(team, user, "hello");
    await receivesLink(user);
    expect((await linkByEmail(true)).body).toMatchObject({ linkByEmail: true });
    const { ts } = await slack.mention(team, user, `run ${tool}`);
    await vi.waitUntil(() => answersIn(team, ts).length === 1, soon);
    const [link] = (await person.call("GET", "/chat-links")).body as { id: string; how: string }[];
    expect(link).toMatchObject({ how: "email" });
    // A user who removed the link is not linked again without confirming it.
    expect((await person.call("DELETE", `/chat-links/${link?.id ?? ""}`)).status).toBe(204);
    team.ephemerals.length = 0;
    await slack.mention(team, user, "hello again");
    await receivesLink(user);
    expect((await person.call("GET", "/chat-links")).body).toEqual([]);
  });

  it.each([
    ["Slack has not confirmed", { isEmailConfirmed: false }],
    ["Slack does not report as confirmed", { flags: { is_email_confirmed: undefined } }],
    ["another team vouches for", { team_id: "T0OTHER" }],
    ["a stranger has", { flags: { is_stranger: true } }],
    ["no team vouches for", { flags: { team_id: undefined } }],
    ["another user has", { flags: { id: "U0OTHER" } }],
    ["a guest of several channels has", { flags: { is_restricted: true } }],
    ["a guest of one channel has", { flags: { is_restricted: true, is_ultra_restricted: true } }],
    ["a user has who may be a guest", { flags: { is_restricted: undefined } }],
    ["a user has who may be a guest of one channel", { flags: { is_ultra_restricted: null } }],
    ["a bot has", { isBot: true }],
    ["a user has who may be a bot", { flags: { is_bot: undefined } }],
    ["an app has", { flags: { is_app_user: true } }],
    ["a workflow has", { flags: { is_workflow_bot: true } }],
    ["an invited user has", { flags: { is_invited_user: true } }],
    ["a deactivated user has", { flags: { deleted: true } }],
    ["a user has who may be deactivated", { flags: { deleted: undefined } }],
    [
      "a member of another team of the organization has",
      { flags: { enterprise_user: { id: "W1", teams: ["T0OTHER"] } } },
    ],
    ["a user of an organization has", { flags: { enterprise_user: { id: "W1" } } }],
  ])("is not linked by an email address that %s", async (_, rest) => {
    await linkByEmail(true);
    const user = addUser(team, member.email, rest);
    const { ts } = await slack.mention(team, user, `run ${tool}`);
    await receivesLink(user);
    expect(answersIn(team, ts)).toEqual([]);
    expect((await member.call("GET", "/chat-links")).body).toEqual([]);
  });

  it.each([
    ["user_team", { user_team: "T0OTHER" }],
    ["source_team", { source_team: "T0OTHER" }],
    ["team", { team: "T0OTHER" }],
    ["profile's team", { user_profile: { team: "T0OTHER" } }],
    ["profile", { user_profile: { is_restricted: true } }],
  ])(
    "is not linked by email address if the %s of the message marks them as external",
    async (_, rest) => {
      await linkByEmail(true);
      const user = addUser(team, member.email);
      await slack.mention(team, user, "hello", { rest });
      await receivesLink(user);
      expect((await member.call("GET", "/chat-links")).body).toEqual([]);
    },
  );

  it("is linked by email address as a member of the team in an organization", async () => {
    await linkByEmail(true);
    const person = await test.addSignedIn(test.workspaceId, "member");
    const flags = { enterprise_user: { id: "W1", teams: ["T0OTHER", team.id] } };
    const user = addUser(team, person.email, { flags });
    const { ts } = await slack.mention(team, user, "hello");
    await vi.waitUntil(() => answersIn(team, ts).length === 1, soon);
    expect((await person.call("GET", "/chat-links")).body).toMatchObject([{ how: "email" }]);
  });

  describe("linked by email address", () => {
    let person: SignedIn;
    let user: string;
    let offer: FakeMessage;
    let confirmed: string;
    beforeAll(async () => {
      confirmed = await test.makeTool("export default async () => ({ ok: 1 });", {
        title: "Confirmed tool",
        confirm: true,
      });
    });
    beforeEach(async () => {
      await linkByEmail(true);
      person = await test.addSignedIn(test.workspaceId, "member");
      user = addUser(team, person.email);
      const { ts } = await slack.mention(team, user, `run ${confirmed}`);
      const [answer] = await vi.waitUntil(() => {
        const answers = answersIn(team, ts);
        return buttonsOf(answers[0] ?? {}).length > 0 && answers;
      }, soon);
      offer = answer as FakeMessage;
    });
    const change = (changes: object) => {
      team.users.set(user, { ...(team.users.get(user) as FakeUser), ...changes });
    };
    const linksOf = async () => (await person.call("GET", "/chat-links")).body as unknown[];
    const runs = async () =>
      ((await test.call("GET", `/runs?toolName=${confirmed}`)).body as unknown[]).length;
    /** Expects that neither a message nor a button press runs anything for the chat user. */
    const expectUnknown = async (fromTeam?: string) => {
      const before = await runs();
      const value = buttonsOf(offer).find(({ label }) => label === "Run")?.value;
      await pressValue(slack, team, { user, message: offer, value, ...(fromTeam && { fromTeam }) });
      team.ephemerals.length = 0;
      const rest = fromTeam === undefined ? {} : { user_team: fromTeam };
      const { ts } = await slack.mention(team, user, `run ${confirmed}`, { rest });
      await receivesLink(user);
      await drainInbox(test);
      expect(answersIn(team, ts)).toEqual([]);
      expect(await runs()).toBe(before);
    };

    it.each([
      ["became a guest", { flags: { is_restricted: true } }],
      ["moved to another team", { team_id: "T0OTHER" }],
      ["was deactivated", { flags: { deleted: true } }],
      ["has changed the address", { email: "new@example.com" }],
      ["has an unconfirmed address", { isEmailConfirmed: false }],
    ])("has to link again after the user %s", async (_, changes) => {
      expect(await linksOf()).toHaveLength(1);
      change(changes);
      await expectUnknown();
      expect(await linksOf()).toEqual([]);
    });

    it("has to link again when an event marks them as external", async () => {
      await expectUnknown("T0OTHER");
    });

    it("has to link again once the address of the account changes or is no longer verified", async () => {
      const { db } = test.service.context;
      await db.kysely
        .updateTable("users")
        .set({ email: `${newId()}@example.com` } as never)
        .where("id", "=", person.userId)
        .execute();
      await expectUnknown();
      expect(await linksOf()).toEqual([]);
    });

    it("has to link again once admins no longer allow it", async () => {
      await linkByEmail(false);
      await expectUnknown();
      await linkByEmail(true);
      const { ts } = await slack.mention(team, user, "hello");
      await vi.waitUntil(() => answersIn(team, ts).length === 1, soon);
    });

    it("runs nothing while Slack cannot be asked", async () => {
      const value = buttonsOf(offer).find(({ label }) => label === "Run")?.value;
      slack.faults.push({ method: "users.info", times: 1, error: "fatal_error" });
      await pressValue(slack, team, { user, message: offer, value });
      await vi.waitUntil(
        () => team.ephemerals.some((one) => one.user === user && /can't check who/.test(one.text)),
        soon,
      );
      expect(await runs()).toBe(0);
      slack.faults.push({ method: "users.info", times: 1, error: "user_not_visible" });
      team.ephemerals.length = 0;
      await slack.mention(team, user, "hello");
      await receivesLink(user);
      // It is not known that they changed, so the link is there when Slack answers again.
      expect(await linksOf()).toHaveLength(1);
      await pressValue(slack, team, { user, message: offer, value });
      await vi.waitUntil(async () => (await runs()) === 1, soon);
    });
  });

  it("is not linked by an address that is unverified here, or of a person outside of the workspace", async () => {
    await linkByEmail(true);
    const { db } = test.service.context;
    const no = db.dialect === "postgres" ? false : 0;
    await db.kysely
      .updateTable("users")
      .set({ email_verified: no } as never)
      .where("id", "=", member.userId)
      .execute();
    for (const { email } of [member, outsider]) {
      const user = addUser(team, email);
      await slack.mention(team, user, "hello");
      expect(await receivesLink(user)).toContain("/bot/link");
    }
  });

  it("requires the person to be unlinked", async () => {
    await linkByEmail(false);
    const { call } = await addLinked(test, slack, team, "member");
    const [link] = (await call("GET", "/chat-links")).body as { id: string }[];
    const path = `/chat-links/${link?.id ?? ""}`;
    expect((await test.callAsOwner("DELETE", path)).status).toBe(404);
    expect((await call("DELETE", path)).status).toBe(204);
    expect((await call("DELETE", path)).status).toBe(404);
  });
});
