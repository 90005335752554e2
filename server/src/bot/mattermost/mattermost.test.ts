import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  authorizeOnPlatform,
  confirmLink,
  drainInbox,
  inboxOf,
  runChatTask,
  soon,
} from "#testing/chat";
import {
  addPost,
  directChannel,
  mattermostId,
  startFakeMattermost,
  townSquare,
} from "#testing/fake-mattermost";
import type { FakeMattermost, FakePost, FakeUser } from "#testing/fake-mattermost";
import { unusedModel } from "#testing/fake-model";
import { startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";

let test: TestService;
let chat: FakeMattermost;
let user: FakeUser;
let person: SignedIn;
let tool: string;
let copy: string;

beforeAll(async () => {
  chat = await startFakeMattermost();
  test = await startTestService({ ...chat.settings, ...unusedModel });
  const admin = chat.addUser("admin", { roles: "system_user system_admin" });
  await connectAs(admin);
  await vi.waitUntil(() => chat.socket.opened > 0, soon);
  tool = await test.makeTool("export default async (input) => ({ got: input });", {
    title: "Weigh quokka",
    description: "Weighs a quokka.",
    inputSchema: {
      type: "object",
      properties: { grams: { type: "integer" }, note: { type: "string" } },
      required: ["grams"],
    },
  });
  copy = await test.makeTool(
    `export default async ({ file }, ctx) => {
      const text = await (await ctx.files.open(file)).text();
      return { copy: await ctx.files.save({ name: "copy.txt", mimeType: "text/plain", body: text + text }) };
    };`,
    {
      inputSchema: {
        type: "object",
        properties: { file: { type: "string" } },
        required: ["file"],
      },
      fileFields: ["file"],
    },
  );
  ({ user, person } = await addLinkedUser("ada"));
});
afterAll(async () => {
  await test.stop();
  await chat.close();
});
afterEach(async () => {
  await drainInbox(test);
  chat.faults = [];
  chat.mayPostEphemerals = false;
});

/** Connects the server in the browser of a Mattermost user, and returns the status of the callback. */
async function connectAs({ id }: FakeUser): Promise<{ status: number; text: string }> {
  chat.visitor = id;
  const asked = { platform: "mattermost", teamId: "" };
  const { callback, cookies } = await authorizeOnPlatform(test, asked);
  const shown = await fetch(callback, { headers: { cookie: cookies }, redirect: "manual" });
  return { status: shown.status, text: await shown.text() };
}

const mention = (by: FakeUser, text: string, how = {}) =>
  chat.say(by, `@${chat.bot.username} ${text}`, how);
const answersTo = ({ id }: Pick<FakePost, "id">) =>
  chat.posts.filter(({ root_id, user_id }) => root_id === id && user_id === chat.bot.id);
const answerTo = (post: FakePost, index = 0) => vi.waitUntil(() => answersTo(post)[index], soon);
const directTo = ({ id }: FakeUser) => {
  const channel = directChannel(chat, [chat.bot.id, id]);
  return chat.posts.filter(
    ({ channel_id, user_id }) => channel_id === channel && user_id === chat.bot.id,
  );
};
const linkIn = ({ message }: Pick<FakePost, "message">) =>
  /\]\((http[^)]+)\)/.exec(message)?.[1] ?? "";

async function addLinkedUser(name: string): Promise<{ user: FakeUser; person: SignedIn }> {
  const added = chat.addUser(name);
  const signedIn = await test.addSignedIn(test.workspaceId, "member");
  const asked = mention(added, "thanks");
  const invitation = await vi.waitUntil(() => directTo(added)[0], soon);
  expect((await confirmLink(test, linkIn(invitation), signedIn)).status).toBe(200);
  await answerTo(asked);
  return { user: added, person: signedIn };
}

type Button = { name: string; integration: { url: string; context: Record<string, string> } };

const buttonsOf = ({ props }: FakePost): Button[] => {
  const attachments = (props["attachments"] ?? []) as { actions?: Button[] }[];
  return attachments.flatMap(({ actions = [] }) => actions);
};
type Pressed = { status: number; ephemeral: string };
async function press(by: FakeUser, post: FakePost, name: string, change = {}): Promise<Pressed> {
  const button = buttonsOf(post).find((one) => one.name === name);
  if (button === undefined) throw new Error(`No button ${name}: ${JSON.stringify(post)}`);
  const { url, context } = button.integration;
  const where = { user_id: by.id, channel_id: post.channel_id, post_id: post.id };
  const body = JSON.stringify({ ...where, context: { ...context, ...change } });
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  const shown = (await response.json()) as { ephemeral_text?: string };
  return { status: response.status, ephemeral: shown.ephemeral_text ?? "" };
}
const runs = async () =>
  (await person.call("GET", `/runs?toolName=${tool}`)).body as { status: string }[];

function addFile(text: string): string {
  const id = mattermostId();
  chat.files.set(id, { name: "a.txt", mime_type: "text/plain", body: Buffer.from(text) });
  return id;
}
/** The file that the bot posted into a thread; presses Run if it is offered. */
async function copied(thread: FakePost): Promise<string | undefined> {
  const offer = await answerTo(thread);
  if (buttonsOf(offer).some(({ name }) => name === "Run")) await press(user, offer, "Run");
  const find = () => answersTo(thread).flatMap(({ file_ids: ids }) => ids)[0];
  return chat.files.get(await vi.waitUntil(find, soon))?.body.toString();
}

describe("a Mattermost server", () => {
  it("is connected by a system admin only, whose token is not kept", async () => {
    const refused = await connectAs(user);
    expect(refused.status).not.toBe(200);
    expect(refused.text).toContain("Only a system admin of Mattermost can connect it.");
    expect(chat.userTokens.size).toBe(0);
    const path = `/workspaces/${test.workspaceId}/chat`;
    const { body } = await test.callAsOwner("GET", path);
    const teamName = new URL(chat.baseUrl).host;
    expect(body).toMatchObject([{ platform: "mattermost", teamName, state: "active" }]);
  });

  it("answers a mention in its thread, and marks the message", async () => {
    const asked = mention(user, `run ${tool} {"grams": 7}`);
    expect((await answerTo(asked)).message).toContain("7");
    await vi.waitUntil(() => asked.reactions.join() === "white_check_mark", soon);
    expect(chat.typing).toContain(asked.id);
  });

  it("marks a message whose run failed", async () => {
    const broken = await test.makeTool("export default async () => { throw new Error('no'); };");
    const asked = mention(user, `run ${broken} {}`);
    expect((await answerTo(asked)).message).toContain("failed");
    await vi.waitUntil(() => asked.reactions.join() === "x", soon);
  });

  it("offers a tool, and runs it after a press by the person who asked", async () => {
    const other = chat.addUser("other");
    const before = (await runs()).length;
    const asked = mention(user, `run ${tool} {"grams": "x"}`);
    const offer = await answerTo(asked);
    expect((await press(user, offer, "Enter details", { choice: "run" })).status).toBe(401);
    const refused = await press(other, offer, "Enter details");
    expect(refused.ephemeral).toContain("Only the user who asked");
    expect(directTo(other)).toEqual([]);
    expect(await runs()).toHaveLength(before);
    const form = await press(user, offer, "Enter details");
    expect(form).toMatchObject({ status: 200, ephemeral: expect.stringContaining("/bot/form") });
    const body = new FormData();
    const values = { person: person.userId, "field-0": "42", "field-1": "heavy" };
    for (const [name, value] of Object.entries(values)) body.append(name, value);
    const headers = { cookie: person.cookie, origin: test.baseUrl };
    const sent = await fetch(linkIn({ message: form.ephemeral }), {
      method: "POST",
      headers,
      body,
    });
    expect(sent.status).toBe(200);
    expect((await answerTo(asked, 1)).message).toContain("heavy");
    expect(buttonsOf(offer)).toEqual([]);
  });

  it("answers direct messages, with those before as context", async () => {
    const channel = directChannel(chat, [chat.bot.id, user.id]);
    const asked = chat.say(user, `run ${tool} {"grams": 1}`, { channel });
    expect((await answerTo(asked)).message).toContain("1");
    const thanks = chat.say(user, "thanks", { channel });
    expect((await answerTo(thanks)).message).toContain("welcome");
  });

  it("ignores bots, webhooks, its own messages and events that are repeated", async () => {
    const say =
      (by: FakeUser, props = {}) =>
      () =>
        Promise.resolve(mention(by, "help", { props }));
    const settle = () => new Promise((resolve) => setTimeout(resolve, 300));
    for (const work of [
      say(chat.bot),
      say(user, { from_webhook: "true" }),
      say(user, { from_bot: "true" }),
    ]) {
      expect(await inboxOf(test, async () => [await work(), await settle()])).toBe(0);
    }
    for (const text of ["no mention of anyone", "@channel lunch is here", "@all hello"]) {
      chat.say(user, text);
      expect(await inboxOf(test, settle)).toBe(0);
    }
  });

  it("shows text literally, and notifies no one", async () => {
    const note = "@all **bold** #tag ~town-square [x](https://evil.example) `code`";
    const asked = mention(user, `run ${tool} ${JSON.stringify({ grams: 1, note })}`);
    const { message, props } = await answerTo(asked);
    expect(message).not.toMatch(/@all|\*\*bold|\]\(https:\/\/evil/);
    expect(props).toMatchObject({ disable_group_highlight: true });
  });

  it("confirms only input that a message shows in full", async () => {
    const risky = await test.makeTool("export default async (input) => ({ got: input });", {
      title: "Wire money ".repeat(7).trim(),
      confirm: true,
    });
    const input = { note: "`".repeat(8_930), to: "mallory" };
    const answer = await answerTo(mention(user, `run ${risky} ${JSON.stringify(input)}`));
    expect(buttonsOf(answer)).toEqual([]);
    expect(answer.message).toContain("too long to show here");
  });

  it("takes files of a message, and posts those of a tool", async () => {
    const file = addFile("twice ");
    const asked = mention(user, `run ${copy}`, { files: [file] });
    expect(await copied(asked)).toBe("twice twice ");
  });

  it("knows the files of a thread in which it was not asked before", async () => {
    const root = chat.say(user, "look at this", { files: [addFile("earlier ")] });
    const given = { user_id: user.id, channel_id: townSquare, root_id: root.id };
    addPost(chat, { ...given, message: "nice" });
    mention(user, `run ${copy}`, { root: root.id });
    expect(await copied(root)).toBe("earlier earlier ");
  });

  it.each([
    ["lost after it was posted", { label: "post", times: 1, isDone: true }],
    ["refused for now", { label: "post", times: 1, status: 503 }],
    ["rate limited", { label: "post", times: 1, status: 429 }],
  ])("answers once when the answer is %s", async (_, fault) => {
    chat.faults = [fault];
    const asked = mention(user, `run ${tool} {"grams": 3}`);
    await answerTo(asked);
    await drainInbox(test);
    expect(answersTo(asked)).toHaveLength(1);
    expect(fault.times).toBe(0);
  });

  it("cancels a run with its Stop button, and says so in its message", async () => {
    const slow = await test.makeTool(
      "export default async () => { await new Promise((done) => setTimeout(done, 60_000)); return {}; };",
      { title: "Wait long" },
    );
    const asked = mention(user, `run ${slow} {}`);
    const shown = await vi.waitUntil(
      () => answersTo(asked).find((one) => buttonsOf(one).some(({ name }) => name === "Stop")),
      soon,
    );
    await press(user, shown, "Stop");
    await vi.waitUntil(async () => {
      await runChatTask(test, "delivering completed runs to chats");
      return shown.message.includes("Wait long was cancelled");
    }, soon);
    expect(answersTo(asked)).toEqual([shown]);
  });

  it("resumes its connection after it was lost, without losing or repeating a message", async () => {
    const { resumed } = chat.socket;
    for (const connection of chat.socket.connections) connection.terminate();
    const asked = mention(user, `run ${tool} {"grams": 5}`);
    expect((await answerTo(asked)).message).toContain("5");
    await drainInbox(test);
    expect(answersTo(asked)).toHaveLength(1);
    expect(chat.socket.resumed).toBeGreaterThan(resumed);
  });
});
