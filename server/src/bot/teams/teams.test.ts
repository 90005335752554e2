import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  authorizeOnPlatform,
  confirmLink,
  drainInbox,
  inboxOf,
  runChatTask,
  soon,
} from "#testing/chat";
import { channel, groupChat, nextId, personalChat, startFakeTeams } from "#testing/fake-teams";
import type { FakeTeamsUser, TeamsFake } from "#testing/fake-teams";
import { unusedModel } from "#testing/fake-model";
import { startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";

let test: TestService;
let teams: TeamsFake;
let user: FakeTeamsUser;
let person: SignedIn;
let tool: string;
let copy: string;

const teamsAdmin = "69091246-20e8-4a56-aa4d-066075b2a7a8";

beforeAll(async () => {
  teams = await startFakeTeams();
  test = await startTestService({ ...teams.settings, ...unusedModel, RUN_WAIT_MS: "3000" });
  teams.appUrl = test.baseUrl;
  await connectAs(teams.addUser("admin", { wids: [teamsAdmin] }));
  tool = await test.makeTool("export default async (input) => ({ got: input });", {
    title: "Weigh quokka",
    description: "Weighs a quokka.",
    inputSchema: {
      type: "object",
      properties: {
        grams: { type: "integer" },
        note: { type: "string" },
        isWild: { type: "boolean" },
      },
      required: ["grams"],
    },
  });
  copy = await test.makeTool(
    `export default async ({ file }, ctx) => {
      const text = await (await ctx.files.open(file)).text();
      return { twice: text + text };
    };`,
    {
      inputSchema: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
      fileFields: ["file"],
    },
  );
  ({ user, person } = await addLinkedUser("ada"));
});
afterAll(async () => {
  await test.stop();
  await teams.close();
});
afterEach(async () => {
  await drainInbox(test);
  teams.faults = [];
});

/** Connects the tenant in the browser of a user, and returns the status of the callback. */
async function connectAs({ id }: FakeTeamsUser): Promise<{ status: number; text: string }> {
  teams.visitor = id;
  const asked = { platform: "teams", teamId: "" };
  const { callback, cookies } = await authorizeOnPlatform(test, asked);
  const shown = await fetch(callback, { headers: { cookie: cookies }, redirect: "manual" });
  return { status: shown.status, text: await shown.text() };
}

type Place = { conversation: string };
const messagesIn = ({ conversation }: Place) =>
  teams.messages.filter((one) => one.conversation === conversation && !one.activity["fromUser"]);
const answerIn = (place: Place, index = 0) => vi.waitUntil(() => messagesIn(place)[index], soon);
const textOf = ({ activity }: { activity: unknown }) => JSON.stringify(activity);
const directTo = ({ id }: FakeTeamsUser) => messagesIn({ conversation: personalChat(teams, id) });
const linkIn = (message: { activity: unknown }) =>
  /"url":"(http[^"]+)"/.exec(textOf(message))?.[1] ?? "";

async function addLinkedUser(name: string): Promise<{ user: FakeTeamsUser; person: SignedIn }> {
  const added = teams.addUser(name);
  const signedIn = await test.addSignedIn(test.workspaceId, "member");
  const asked = await teams.say(added, "thanks");
  const invitation = await vi.waitUntil(() => directTo(added)[0], soon);
  expect((await confirmLink(test, linkIn(invitation), signedIn)).status).toBe(200);
  await answerIn(asked);
  return { user: added, person: signedIn };
}

type Node = { [name: string]: unknown; type?: string; title?: string };

/** The elements of a card, at any depth. */
function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== "object" || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap(nodesIn)];
}
const buttonsOf = (card: unknown) => nodesIn(card).filter(({ type }) => type === "Action.Execute");

function press(by: FakeTeamsUser, card: unknown, title: string, place: Place, inputs = {}) {
  const button = buttonsOf(card).find((one) => one.title === title);
  if (button === undefined) throw new Error(`No button ${title}: ${JSON.stringify(card)}`);
  const data = { ...(button["data"] as object), ...inputs };
  return teams.press(by, { ...place, verb: String(button["verb"]), data });
}
/** A server that is not Microsoft's. */
async function listen(
  onRequest: (request: IncomingMessage) => void,
): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    onRequest(request);
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { server, url: `http://127.0.0.1:${port}` };
}

const runs = async () =>
  (await person.call("GET", `/runs?toolName=${tool}`)).body as { status: string }[];

describe("Microsoft Teams", () => {
  it("is connected by a Teams administrator only", async () => {
    const refused = await connectAs(user);
    expect(refused.status).not.toBe(200);
    expect(refused.text).toContain("Only a Teams administrator");
    const { body } = await test.callAsOwner("GET", `/workspaces/${test.workspaceId}/chat`);
    const team = { platform: "teams", teamId: teams.tenantId, teamName: "contoso.example" };
    expect(body).toMatchObject([{ ...team, state: "active" }]);
  });

  it("answers a mention in its thread of a channel", async () => {
    const asked = await teams.say(user, `run ${tool} {"grams": 7}`);
    expect(asked.status).toBe(202);
    expect(textOf(await answerIn(asked))).toContain("7");
    const again = await teams.say(user, "thanks", { thread: asked.id });
    expect(again.conversation).toBe(asked.conversation);
    expect(textOf(await answerIn(asked, 1))).toContain("welcome");
  });

  it("answers in a chat with one person and in a group chat, and shows that it is typing", async () => {
    for (const conversation of [personalChat(teams, user.id), groupChat]) {
      const before = messagesIn({ conversation }).length;
      await teams.say(user, `run ${tool} {"grams": 1}`, { conversation });
      expect(textOf(await answerIn({ conversation }, before))).toContain("grams");
      expect(teams.typing).toContain(conversation);
    }
  });

  it("ignores what is not for it, and what is repeated", async () => {
    const once = { id: nextId() };
    await teams.say(user, "thanks", once);
    expect(await inboxOf(test, () => teams.say(user, "thanks", once))).toBe(0);
    for (const conversation of [channel, groupChat]) {
      const how = { conversation, isMention: false };
      expect(await inboxOf(test, () => teams.say(user, "lunch?", how))).toBe(0);
    }
    const other = { channelData: { tenant: { id: "another" } } };
    expect(await inboxOf(test, () => teams.say(user, "thanks", { rest: other }))).toBe(0);
  });

  it("offers a tool, and runs it with the form that the card then shows", async () => {
    const other = teams.addUser("other");
    const before = (await runs()).length;
    const asked = await teams.say(user, `run ${tool} {"grams": "x"}`);
    const offer = await answerIn(asked);
    const refusal = await press(other, offer.activity, "Enter details", asked);
    expect(refusal).toMatchObject({
      statusCode: 200,
      type: "application/vnd.microsoft.activity.message",
    });
    expect(refusal.value).toContain("Only the user who asked");
    expect(await runs()).toHaveLength(before);
    const form = await press(user, offer.activity, "Enter details", asked);
    expect(form.type).toBe("application/vnd.microsoft.card.adaptive");
    const submit = buttonsOf(form.value)[0]?.title ?? "";
    const names = nodesIn(form.value).flatMap((node) =>
      node.type?.startsWith("Input.") === true ? [String(node["id"])] : [],
    );
    const [grams = "", note = "", isWild = ""] = names;
    const wrong = await press(user, form.value, submit, asked, {
      [grams]: "many",
      [note]: "heavy",
    });
    expect(nodesIn(wrong.value).find((node) => node["id"] === note)).toMatchObject({
      value: "heavy",
    });
    const values = { [grams]: 42, [note]: "heavy", [isWild]: "true" };
    const sent = await press(user, wrong.value, submit, asked, values);
    expect(buttonsOf(sent.value)).toEqual([]);
    const answer = textOf(await answerIn(asked, 1));
    expect(answer).toMatch(/42.*heavy.*yes/);
    expect(buttonsOf(offer.activity)).toEqual([]);
    expect(offer.edits).toBeGreaterThan(0);
  });

  it("offers a page for a form that Teams cannot show", async () => {
    const asked = await teams.say(user, `run ${copy}`);
    const offer = await answerIn(asked);
    expect(textOf(offer)).toContain("Still needed: File");
    const title = buttonsOf(offer.activity)[0]?.title ?? "";
    const shown = await press(user, offer.activity, title, asked);
    const words = JSON.stringify(shown.value);
    expect(words).toMatch(/Fill in the form for .* on this page[^]*\/bot\/form\?token=/);
    expect(words).not.toContain("Try again");
  });

  it("takes files of a message, and never sends its token to another host", async () => {
    teams.files.set("image-1", Buffer.from("pixels "));
    const contentUrl = `${teams.baseUrl}/teams/v3/attachments/image-1/views/original`;
    const pasted = { contentType: "image/png", contentUrl, name: "a.png" };
    const asked = await teams.say(user, `run ${copy}`, { rest: { attachments: [pasted] } });
    const offer = await answerIn(asked);
    if (buttonsOf(offer.activity).length > 0) await press(user, offer.activity, "Run", asked);
    await vi.waitUntil(
      () => messagesIn(asked).some((one) => textOf(one).includes("pixels pixels")),
      soon,
    );
    const headers: unknown[] = [];
    const { server, url } = await listen((request) => headers.push(request.headers));
    const content = { downloadUrl: `${url}/secret`, fileType: "txt" };
    const contentType = "application/vnd.microsoft.teams.file.download.info";
    const attachments = [{ contentType, name: "b.txt", content }];
    const other = await teams.say(user, `run ${copy}`, { rest: { attachments } });
    const next = await answerIn(other);
    if (buttonsOf(next.activity).length > 0) await press(user, next.activity, "Run", other);
    await drainInbox(test);
    expect(headers).toEqual([]);
    server.close();
  });

  it("reads nothing but images from the Bot Connector for a file", async () => {
    const { conversation } = await teams.say(user, "help");
    const path = `v3/conversations/${encodeURIComponent(conversation)}/members/${encodeURIComponent(user.id)}`;
    const contentUrl = `${teams.baseUrl}/teams/${path}`;
    const attachments = [{ contentType: "image/png", contentUrl, name: "a.png" }];
    const asked = await teams.say(user, `run ${copy}`, { rest: { attachments } });
    const offer = await answerIn(asked);
    if (buttonsOf(offer.activity).length > 0) await press(user, offer.activity, "Run", asked);
    const words = () => messagesIn(asked).map(textOf).join("\n");
    await vi.waitUntil(() => words().includes("can't download the file"), soon);
    await drainInbox(test);
    expect(words()).not.toContain("userPrincipalName");
  });

  it("shows text literally, and mentions no one", async () => {
    const note = "<at>Ada</at> **bold** {{DATE(2026-01-01T00:00:00Z)}} [x](https://evil.example)";
    const asked = await teams.say(user, `run ${tool} ${JSON.stringify({ grams: 1, note })}`);
    const { activity } = await answerIn(asked);
    const shown = nodesIn(activity).filter((node) => String(node["text"]).includes("evil"));
    expect(shown.map(({ type }) => type)).not.toContain("TextBlock");
    expect(JSON.stringify(activity["attachments"])).not.toContain("{{DATE");
    expect(nodesIn(activity).filter(({ type }) => type === "mention")).toEqual([]);
  });

  it("confirms only input that a message shows in full", async () => {
    const risky = await test.makeTool("export default async (input) => ({ got: input });", {
      title: "Wire money",
      confirm: true,
    });
    const input = { note: "n".repeat(25_000), to: "mallory" };
    const asked = await teams.say(user, `run ${risky} ${JSON.stringify(input)}`);
    const answer = await answerIn(asked);
    expect(buttonsOf(answer.activity)).toEqual([]);
    expect(textOf(answer)).toContain("too long to show here");
  });

  it("asks a person to add the app when the link to their account can't reach them", async () => {
    const stranger = teams.addUser("stranger", { hasApp: false });
    const asked = await teams.say(stranger, "thanks");
    const answer = textOf(await answerIn(asked));
    expect(answer).toContain("Open a chat");
    expect(answer).not.toContain("/bot/link");
    expect(answer).toContain(encodeURIComponent(`28:${teams.appId}`));
  });

  it("recognizes full members by the address that they sign in with, where the workspace allows it", async () => {
    const { body } = await test.callAsOwner("GET", `/workspaces/${test.workspaceId}/chat`);
    const [{ id } = { id: "" }] = body as unknown as { id: string }[];
    const path = `/workspaces/${test.workspaceId}/chat/${id}`;
    await test.callAsOwner("PATCH", path, { linkByEmail: true });
    const { email } = await test.addSignedIn(test.workspaceId, "member");
    const known = teams.addUser("known", { email, userPrincipalName: email });
    const asked = await teams.say(known, "thanks");
    expect(textOf(await answerIn(asked))).toContain("welcome");
    const others = [
      { userPrincipalName: "x@contoso.example" },
      { userRole: "guest" },
      { tenantId: "another" },
    ];
    for (const rest of others) {
      const unknown = teams.addUser("unknown", { email, userPrincipalName: email, ...rest });
      await teams.say(unknown, "thanks");
      const invitation = await vi.waitUntil(() => directTo(unknown)[0], soon);
      expect(textOf(invitation)).toContain("/bot/link");
    }
    await test.callAsOwner("PATCH", path, { linkByEmail: false });
  });

  it.each([
    ["refused for now", { label: "post", times: 1, status: 503 }],
    ["rate limited", { label: "post", times: 1, status: 429 }],
    ["refused because the token expired", { label: "post", times: 1, status: 401 }],
  ])("answers once when the answer is %s", async (_, fault) => {
    teams.faults = [fault];
    const asked = await teams.say(user, `run ${tool} {"grams": 3}`);
    await answerIn(asked);
    await drainInbox(test);
    expect(messagesIn(asked)).toHaveLength(1);
    expect(fault.times).toBe(0);
  });

  it("posts an answer again whose response was lost, since Teams lists no messages", async () => {
    teams.faults = [{ label: "post", times: 1, isDone: true }];
    const asked = await teams.say(user, `run ${tool} {"grams": 3}`);
    await answerIn(asked, 1);
    await drainInbox(test);
    expect(messagesIn(asked)).toHaveLength(2);
  });

  it("applies edits and deletions to the messages that it stored", async () => {
    const { kysely } = test.service.context.db;
    const asked = await teams.say(user, "thanks");
    await answerIn(asked);
    const stored = async () => {
      const rows = await kysely.selectFrom("chat_messages").selectAll().execute();
      return rows.find(({ message_id: id }) => id.endsWith(`.${asked.id}`))?.text;
    };
    expect(await stored()).toBe("thanks");
    const how = { id: asked.id, thread: asked.id };
    await teams.say(user, "many thanks", { ...how, rest: { type: "messageUpdate" } });
    expect(await stored()).toBe("many thanks");
    await teams.say(user, "", { ...how, rest: { type: "messageDelete" } });
    expect(await stored()).toBeUndefined();
  });

  it("answers in plain text when Teams refuses the card as too large", async () => {
    teams.faults = [{ label: "post", times: 1, status: 413 }];
    const asked = await teams.say(user, `run ${tool} {"grams": 3}`);
    const { activity } = await answerIn(asked);
    expect(activity).toMatchObject({ textFormat: "plain" });
    expect(String(activity["text"])).toContain("3");
  });

  it("answers in private when it was removed from the conversation", async () => {
    const before = directTo(user).length;
    teams.faults = [{ label: "post", times: 1, status: 403 }];
    await teams.say(user, `run ${tool} {"grams": 3}`);
    const answer = await vi.waitUntil(() => directTo(user)[before], soon);
    expect(textOf(answer)).toContain("grams");
  });

  it("cancels a run with its Stop button, and says so in its message", async () => {
    const slow = await test.makeTool(
      "export default async () => { await new Promise((done) => setTimeout(done, 60_000)); return {}; };",
      { title: "Wait long" },
    );
    const asked = await teams.say(user, `run ${slow} {}`);
    const shown = await vi.waitUntil(
      () =>
        messagesIn(asked).find(({ activity }) =>
          buttonsOf(activity).some(({ title }) => title === "Stop"),
        ),
      soon,
    );
    await press(user, shown.activity, "Stop", asked);
    await vi.waitUntil(async () => {
      await runChatTask(test, "delivering completed runs to chats");
      return textOf(shown).includes("Wait long was cancelled");
    }, soon);
    expect(messagesIn(asked)).toEqual([shown]);
  });

  it("mentions the person who waited for a long run", async () => {
    const slow = await test.makeTool(
      "export default async () => { await new Promise((done) => setTimeout(done, 4_000)); return { far: 'all the way' }; };",
      { title: "Walk far" },
    );
    const asked = await teams.say(user, `run ${slow} {}`);
    await vi.waitUntil(async () => {
      await runChatTask(test, "delivering completed runs to chats");
      return messagesIn(asked).length > 1;
    }, soon);
    const { activity } = await answerIn(asked, 1);
    expect(JSON.stringify(activity)).toContain("all the way");
    const mentions = nodesIn(activity).filter(({ type }) => type === "mention");
    expect(mentions).toMatchObject([{ mentioned: { id: user.id, name: "ada" } }]);
  });

  it("breaks the connection once the app is removed from the tenant, and not before", async () => {
    const state = async () => {
      await drainInbox(test);
      const { body } = await test.callAsOwner("GET", `/workspaces/${test.workspaceId}/chat`);
      return (body as unknown as { state: string }[])[0]?.state;
    };
    const remove = () =>
      teams.say(user, "", { rest: { type: "installationUpdate", action: "remove" } });
    await remove();
    expect(await state()).toBe("active");
    teams.isDeleted = true;
    await remove();
    expect(await state()).toBe("broken");
    teams.isDeleted = false;
    expect((await connectAs(teams.addUser("chief", { wids: [teamsAdmin] }))).status).toBe(200);
    expect(await state()).toBe("active");
  });
});
