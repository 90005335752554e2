import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { addLinked, answersIn, connectTeam, drainInbox, soon } from "#testing/chat";
import { buttonsOf, press, wordsOf } from "#testing/chat-press";
import { startFakeSlack } from "#testing/fake-slack";
import type { FakeMessage, FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";

let test: TestService;
let slack: FakeSlack;
let team: FakeTeam;
let member: SignedIn & { user: string };
let other: SignedIn & { user: string };

const echo = "export default async (input) => ({ got: input });";
const always = "Always allow for this tool";

beforeAll(async () => {
  slack = await startFakeSlack();
  test = await startTestService(slack.settings);
  slack.appUrl = test.baseUrl;
  team = slack.addTeam("Engineering");
  await connectTeam(test, team);
  member = await addLinked(test, slack, team, "member");
  other = await addLinked(test, slack, team, "member");
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});

const answer = (thread: string, index = 0): Promise<FakeMessage> =>
  vi.waitUntil(() => answersIn(team, thread)[index], soon);
const ask = async (text: string, user = member.user) => {
  const { ts } = await slack.mention(team, user, text);
  return { ts, message: await answer(ts) };
};
const labels = (message: FakeMessage) => buttonsOf(message).map(({ label }) => label);
const runsOf = async (tool: string) =>
  (await test.call("GET", `/runs?toolName=${tool}`)).body as object[];
const allowedFor = async ({ call }: SignedIn, tool: string) =>
  (await call("GET", `/tools/${tool}/approvals`)).body["alwaysAllowed"];
const makeTool = (title: string, rest: object = {}) =>
  test.makeTool(echo, { title, description: `${title} now.`, confirm: true, ...rest });

describe("Always allow for this tool", () => {
  it("runs the tool, and later runs of this person need no confirmation", async () => {
    const tool = await makeTool("Feed the okapi");
    const { ts, message } = await ask(`run ${tool} {"a": 1}`);
    expect(labels(message)).toEqual(["Run", always, "Cancel"]);
    await Promise.all([1, 2].map(() => press(slack, team, { ...member, message, label: always })));
    await answer(ts, 1);
    await drainInbox(test);
    expect(await runsOf(tool)).toHaveLength(1);
    expect(wordsOf(message)).toContain("runs it without confirmation");
    expect(await allowedFor(member, tool)).toMatchObject({ version: 1, covered: true });
    const events = await test.service.context.db.kysely
      .selectFrom("audit_events")
      .select(["target", "details"])
      .where("action", "=", "tool.always_allow")
      .where("target", "=", tool)
      .execute();
    expect(events).toHaveLength(1);

    const next = await ask(`run ${tool} {"a": 2}`);
    expect(labels(next.message)).not.toContain(always);
    await press(slack, team, { ...member, message: next.message, label: "Run" });
    expect(wordsOf(await answer(next.ts, 1))).not.toContain("with this input?");
    await drainInbox(test);
    expect(await runsOf(tool)).toHaveLength(2);

    const theirs = await ask(`run ${tool} {"a": 3}`, other.user);
    expect(labels(theirs.message)).toContain(always);
  });

  it("asks again once the code or its access changes, and not after other changes", async () => {
    const tool = await makeTool("Groom the okapi");
    const { ts, message } = await ask(`run ${tool} {}`);
    await press(slack, team, { ...member, message, label: always });
    await answer(ts, 1);
    const isAsked = async () => labels((await ask(`run ${tool} {}`)).message).includes(always);
    await test.call("PATCH", `/tools/${tool}`, { description: "Grooms it." });
    expect(await isAsked()).toBe(false);
    await test.call("PATCH", `/tools/${tool}`, { allowedHosts: ["a.example"] });
    expect(await isAsked()).toBe(true);
    await test.call("PATCH", `/tools/${tool}`, { allowedHosts: [] });
    expect(await isAsked()).toBe(false);
    const source = { language: "javascript", code: "export default async () => ({ other: 1 });" };
    expect((await test.call("PATCH", `/tools/${tool}`, { source })).status).toBe(200);
    expect(await isAsked()).toBe(true);
    expect(await allowedFor(member, tool)).toMatchObject({ version: 1, covered: false });
  });

  it("asks again after the person revoked it, and returns 404 when there is nothing to revoke", async () => {
    const tool = await makeTool("Wash the okapi");
    const { ts, message } = await ask(`run ${tool} {}`);
    await press(slack, team, { ...member, message, label: always });
    await answer(ts, 1);
    const path = `/tools/${tool}/approvals/always-allow`;
    expect((await other.call("DELETE", path)).status).toBe(404);
    expect((await member.call("DELETE", path)).status).toBe(204);
    expect((await member.call("DELETE", path)).status).toBe(404);
    expect(await allowedFor(member, tool)).toBeNull();
    expect(labels((await ask(`run ${tool} {}`)).message)).toContain(always);
  });

  it("is not offered for a credential of the workspace, except to people who decide about it", async () => {
    const name = "OKAPI_KEY";
    const tool = await makeTool("Weigh the okapi", {
      credentials: [{ name, hosts: ["a.example"] }],
      allowedHosts: ["a.example"],
    });
    const credential = { name, value: "of-the-workspace", hosts: ["a.example"] };
    const created = await test.callAsOwner("POST", "/credentials", {
      ...credential,
      owner: "workspace",
    });
    expect(created.status).toBe(201);
    const admin = await addLinked(test, slack, team, "admin");
    expect(labels((await ask(`run ${tool} {}`)).message)).not.toContain(always);
    const { message } = await ask(`run ${tool} {}`, admin.user);
    expect(labels(message)).toContain(always);
    const own = await member.call("POST", "/credentials", credential);
    expect(own.status).toBe(201);
    expect(labels((await ask(`run ${tool} {}`)).message)).toContain(always);
  });

  it("asks again when it was revoked while a run waited for a credential", async () => {
    const [code, title] = ["OKAPI_CODE", "Feed the okapi"];
    const rest = { credentials: [{ name: code, hosts: ["a.example"] }] };
    const tool = await makeTool(title, { ...rest, allowedHosts: ["a.example"] });
    const first = await ask(`run ${tool} {"n": 1}`);
    await press(slack, team, { user: member.user, message: first.message, label: always });
    // A confirmed input needs no second confirmation.
    expect(labels(await answer(first.ts, 1))).toContain("Add OKAPI_CODE");
    const { ts, message } = await ask(`run ${tool} {"n": 2}`);
    await press(slack, team, { user: member.user, message, label: "Run" });
    expect(labels(await answer(ts, 1))).toContain("Add OKAPI_CODE");
    const path = `/tools/${tool}/approvals/always-allow`;
    expect((await member.call("DELETE", path)).status).toBe(204);
    const credential = { name: code, value: "own-secret", hosts: ["a.example"] };
    const approve = { tool, version: 1 };
    const added = await member.call("POST", "/credentials", { ...credential, approve });
    expect(added.status).toBe(201);
    const asked = await answer(ts, 1);
    await vi.waitUntil(() => labels(asked).join() === `Run,${always},Cancel`, soon);
    expect(labels(await answer(first.ts, 2))).toEqual([]);
    await drainInbox(test);
    expect(await runsOf(tool)).toMatchObject([{ input: { n: 1 } }]);
  });
});
