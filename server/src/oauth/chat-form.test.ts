import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { addLinked, answersIn, connectTeam, drainInbox, soon } from "#testing/chat";
import { buttonsOf, press, wordsOf } from "#testing/chat-press";
import { unusedModel } from "#testing/fake-model";
import { startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";

let test: TestService;
let slack: FakeSlack;
let team: FakeTeam;
let person: SignedIn & { user: string };
let tool: string;

beforeAll(async () => {
  slack = await startFakeSlack();
  test = await startTestService({
    ...slack.settings,
    ...unusedModel,
    UPLOAD_MAX_BYTES: "200000",
  });
  slack.appUrl = test.baseUrl;
  team = slack.addTeam("Engineering");
  await connectTeam(test, team);
  person = await addLinked(test, slack, team, "member");
  tool = await test.makeTool("export default async (input) => ({ got: input });", {
    title: "Describe <it>",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "Who & what", maxLength: 20 },
        count: { type: "integer", minimum: 1 },
        color: { enum: ["red", "green"] },
        sizes: { type: "array", items: { enum: ["S", "M", "L"] } },
        isLoud: { type: "boolean", default: true },
        notes: { type: "string", format: "multiline" },
        pin: { type: "string", description: "Pin.", writeOnly: true },
        mail: { type: "string", format: "email" },
        tags: { type: "array", items: { type: "string" }, description: "Words to find it" },
      },
      required: ["name", "count"],
    },
  });
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});
afterEach(() => {
  slack.faults.length = 0;
});

/** Presses the button of a form that Slack does not open, and returns the link to its page with the thread. */
async function findLink(request = `run ${tool} {"name": "Ada", "count": 0}`) {
  const { ts } = await slack.mention(team, person.user, request);
  const message = await vi.waitUntil(() => answersIn(team, ts)[0], soon);
  slack.faults.push({ method: "views.open", times: 1, error: "expired_trigger_id" });
  const before = team.ephemerals.length;
  await press(slack, team, { user: person.user, message, label: "Enter details" });
  const notice = await vi.waitUntil(() => team.ephemerals[before], soon);
  const url = buttonsOf(notice as { blocks: unknown[] }).find(
    ({ label }) => label === "Open the form",
  )?.url;
  if (url === undefined) throw new Error(wordsOf(notice));
  return { url, ts };
}

type Browser = Pick<SignedIn, "cookie" | "userId">;

async function open(url: string, cookie = person.cookie) {
  const response = await fetch(url, { headers: { cookie }, redirect: "manual" });
  const location = response.headers.get("location");
  return { status: response.status, location, text: await response.text() };
}

type Entry = [string, string | File];

async function send(
  url: string,
  entries: readonly Entry[],
  { cookie, userId }: Browser = person,
  headers: Record<string, string> = { origin: test.baseUrl },
) {
  const body = new FormData();
  for (const [name, value] of [["person", userId] satisfies Entry, ...entries]) {
    body.append(name, value);
  }
  const response = await fetch(url, { method: "POST", headers: { ...headers, cookie }, body });
  return { status: response.status, text: await response.text() };
}

const filled: Entry[] = [
  ["field-0", "Ada"],
  ["field-1", "3"],
];

describe("the page of a form", () => {
  it("shows the fields with their values, and answers in the thread like a form of the chat", async () => {
    const { url, ts } = await findLink();
    const page = await open(url);
    expect(page.status).toBe(200);
    expect(page.text).toContain("<h1>Describe &lt;it&gt;</h1>");
    expect(page.text).toMatch(/<input\s+type="text"\s+value="Ada"[^>]* required/);
    expect(page.text).toContain("Who &amp; what");
    expect(page.text).toMatch(
      /<input\s+type="password"[^>]* autocomplete="off"[^>]* name="field-6"/,
    );
    expect(page.text).not.toContain("Pin.");
    expect(page.text).toMatch(/<input\s+type="email"[^>]* name="field-7"/);
    expect(page.text).toContain("Words to find it. One per line.");
    expect(page.text).toMatch(/type="checkbox"\s+checked/);
    const sent = await send(url, [
      ...filled,
      ["field-2", "1"],
      ["field-3", "0"],
      ["field-3", "2"],
      ["field-5", "one\r\ntwo"],
    ]);
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining("Engineering")]);
    const answer = await vi.waitUntil(() => answersIn(team, ts)[1], soon);
    const words = wordsOf(answer).replaceAll("\\", "");
    for (const part of ["Ada", "green", "S", "L", "one", "two"]) expect(words).toContain(part);
  });

  it("shows problems beside the fields, and keeps what was entered", async () => {
    const { url } = await findLink();
    const sent = await send(url, [
      ["field-0", "Grace"],
      ["field-1", "none"],
    ]);
    expect(sent.status).toBe(422);
    expect(sent.text).toContain("Enter a number.");
    expect(sent.text).toMatch(/value="Grace"/);
    expect(sent.text).not.toMatch(/type="checkbox"\s+checked/);
    expect((await send(url, filled)).status).toBe(200);
  });

  it("works once", async () => {
    const { url, ts } = await findLink();
    const both = await Promise.all([send(url, filled), send(url, filled)]);
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]));
    await drainInbox(test);
    expect(answersIn(team, ts)).toHaveLength(2);
    expect((await open(url)).text).toContain("already answered");
  });

  it("takes nothing once the tool has changed, and the button offers the tool again", async () => {
    const inputSchema = (...names: string[]) => ({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      required: names,
    });
    const transfer = await test.makeTool("export default async (input) => ({ got: input });", {
      title: "Transfer",
      inputSchema: inputSchema("from", "to"),
    });
    const { url, ts } = await findLink(`run ${transfer}`);
    expect((await open(url)).status).toBe(200);
    const change = { inputSchema: inputSchema("to", "from") };
    expect((await test.call("PATCH", `/tools/${transfer}`, change)).status).toBe(200);
    const sent = await send(url, [
      ["field-0", "mine"],
      ["field-1", "theirs"],
    ]);
    expect([sent.status, sent.text]).toEqual([409, expect.stringContaining("has changed")]);
    const [message] = answersIn(team, ts);
    if (message === undefined) throw new Error("There is no offer");
    await press(slack, team, { user: person.user, message, label: "Enter details" });
    const hasChanged = (answer: Parameters<typeof wordsOf>[0]) =>
      wordsOf(answer).includes("has changed since I asked you");
    const again = await vi.waitUntil(() => answersIn(team, ts).find(hasChanged), soon);
    expect(buttonsOf(again).map(({ label }) => label)).toEqual(["Enter details", "Not this one"]);
    await drainInbox(test);
    expect((await test.call("GET", `/runs?toolName=${transfer}`)).body).toEqual([]);
  });

  it("expires after 30 minutes", async () => {
    const { url } = await findLink();
    const { clock } = test.service.context;
    const { now } = clock;
    clock.now = () => now() + 1_800_001;
    try {
      expect((await open(url)).status).toBe(404);
      expect((await send(url, filled)).status).toBe(404);
    } finally {
      clock.now = now;
    }
  });

  it("is shown only to the member who was asked", async () => {
    const { url, ts } = await findLink();
    const signedOut = await open(url, "");
    expect([signedOut.status, signedOut.location]).toEqual([
      303,
      expect.stringContaining("/sign-in?next="),
    ]);
    const member = await test.addSignedIn(test.workspaceId, "member");
    const admin = await addLinked(test, slack, team, "admin");
    for (const other of [member, admin]) {
      const shown = await open(url, other.cookie);
      expect([shown.status, shown.text]).toEqual([403, expect.stringContaining("another user")]);
      expect(shown.text).not.toContain("Describe");
      expect((await send(url, filled, other)).status).toBe(403);
    }
    expect((await send(url, filled, { ...person, userId: member.userId })).status).toBe(403);
    await drainInbox(test);
    expect(answersIn(team, ts)).toHaveLength(1);
  });

  it("refuses a link that was altered, and a form of another site", async () => {
    const { url } = await findLink();
    const token = new URL(url).searchParams.get("token") ?? "";
    const changed = token.at(40) === "A" ? "B" : "A";
    for (const other of ["", "x", `${token.slice(0, 40)}${changed}${token.slice(41)}`]) {
      expect((await open(`${test.baseUrl}/bot/form?token=${other}`)).status).toBe(404);
    }
    for (const headers of [{}, { origin: "https://evil.example" }]) {
      expect((await send(url, filled, person, headers)).status).toBe(403);
    }
    expect((await open(url)).status).toBe(200);
  });

  it("refuses the form of a user whose link was removed", async () => {
    const { url } = await findLink();
    const { kysely } = test.service.context.db;
    const link = kysely.updateTable("chat_links").where("user_id", "=", person.userId);
    await link.set({ user_id: null }).execute();
    expect((await open(url)).status).toBe(403);
    const undo = kysely.updateTable("chat_links").where("chat_user_id", "=", person.user);
    await undo.set({ user_id: person.userId }).execute();
    expect((await open(url)).status).toBe(200);
  });
});

describe("a page with files", () => {
  const makeFileTool = () =>
    test.makeTool(
      `export default async ({ paper }, ctx) => {
        const file = await ctx.files.open(paper);
        return { said: new TextDecoder().decode(await file.bytes()) };
      };`,
      {
        inputSchema: {
          type: "object",
          properties: { paper: { type: "string" }, title: { type: "string" } },
          required: ["paper", "title"],
        },
        fileFields: ["paper"],
      },
    );
  const incoming = () => readdirSync(join(test.service.context.config.dataDir, "files/incoming"));
  const files = () => test.service.context.db.kysely.selectFrom("files").selectAll().execute();

  it("uploads them, and stores none while there are problems", async () => {
    const fileTool = await makeFileTool();
    const { url, ts } = await findLink(`run ${fileTool}`);
    expect((await open(url)).text).toContain('type="file"');
    const paper = new File(["words of the paper"], "paper.txt", { type: "text/plain" });
    const wrong = await send(url, [["field-0", paper]]);
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining("files again")]);
    const none = await send(url, [
      ["field-0", new File([], "")],
      ["field-1", "T"],
    ]);
    expect([none.status, none.text]).toEqual([422, expect.stringContaining("Choose a file.")]);
    expect([await files(), incoming()]).toEqual([[], []]);
    const sent = await send(url, [
      ["field-0", paper],
      ["field-1", "T"],
    ]);
    expect(sent.status).toBe(200);
    const answer = await vi.waitUntil(() => answersIn(team, ts)[1], soon);
    expect(wordsOf(answer)).toContain("words of the paper");
    const [stored, ...others] = await files();
    expect([stored?.name, stored?.user_id, others]).toEqual(["paper.txt", person.userId, []]);
    expect(incoming()).toEqual([]);
  });

  it("refuses files that are too large together", async () => {
    const { url } = await findLink(`run ${await makeFileTool()}`);
    const before = await files();
    const sent = await send(url, [
      ["field-0", new File([Buffer.alloc(300_000)], "large.bin")],
      ["field-1", "T"],
    ]);
    expect([sent.status, sent.text]).toEqual([400, expect.stringContaining("too large")]);
    const cut = await fetch(url, {
      method: "POST",
      headers: {
        origin: test.baseUrl,
        cookie: person.cookie,
        "content-type": "multipart/form-data; boundary=x",
      },
      body: '--x\r\nContent-Disposition: form-data; name="field-0"; filename="a"\r\n\r\ncut',
    });
    expect(cut.status).toBe(400);
    expect([(await files()).length, incoming()]).toEqual([before.length, []]);
  });
});
