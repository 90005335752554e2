import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { addLinked, answersIn, connectTeam, drainInbox, soon } from "#testing/chat";
import { buttonsOf, press, pressValue, submit, viewOf, wordsOf } from "#testing/chat-press";
import { addFile, slackId, startFakeSlack } from "#testing/fake-slack";
import type { FakeMessage, FakeSlack, FakeTeam } from "#testing/fake-slack";
import { chatTasks } from "../run-worker.ts";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

/** The bot without a language model, over the network. */
let test: TestService;
let slack: FakeSlack;
let team: FakeTeam;
let user: string;
let other: string;
/** How often the tools have run. */
const echo = "export default async (input) => ({ got: input });";

beforeAll(async () => {
  slack = await startFakeSlack();
  test = await startTestService(slack.settings);
  slack.appUrl = test.baseUrl;
  team = slack.addTeam("Engineering");
  await connectTeam(test, team);
  ({ user } = await addLinked(test, slack, team, "member"));
  ({ user: other } = await addLinked(test, slack, team, "member"));
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});

const answer = (thread: string, index = 0): Promise<FakeMessage> =>
  vi.waitUntil(() => answersIn(team, thread)[index], soon);

const ask = async (text: string, how: object = {}) => {
  const { ts } = await slack.mention(team, user, text, how);
  return { ts, message: await answer(ts) };
};

/** Says something in the direct conversation with the bot. */
const askDirectly = async (text: string) => {
  const channel = `D${user.slice(1)}`;
  const ts = team.nextTs();
  team.messages.push({ ts, channel, user, text, reactions: [], edits: 0 });
  await slack.deliver(team, { type: "message", channel_type: "im", channel, user, text, ts });
  return { ts, message: await answer(ts) };
};

/** The message once the bot has replaced its content. */
const changed = (message: FakeMessage, words: string): Promise<FakeMessage> =>
  vi.waitUntil(() => (wordsOf(message).includes(words) ? message : undefined), soon);

/** The answer once the tool that was offered has run. */
const askAndRun = async (text: string, how: object = {}) => {
  const { ts, message } = await ask(text, how);
  await press(slack, team, { user, message, label: "Run" });
  return { ts, message: await answer(ts, 1) };
};

const runsOf = async (tool: string) =>
  (await test.call("GET", `/runs?toolName=${tool}`)).body as { input: object; via: string }[];

/** What each node does about every second. */
const resumeQuestions = async () => {
  const task = chatTasks.find(({ name }) => name === "resuming chat questions");
  if (task === undefined) throw new Error("There is no such task");
  await task.work(test.service.context);
};
const labelsOf = (message: FakeMessage) => buttonsOf(message).map(({ label }) => label);
const drain = () => drainInbox(test);
const byText = (one: string, two: string) => one.localeCompare(two);

describe("a request that clearly matches one tool", () => {
  it("offers the tool, and runs it once when the person who asked presses Run", async () => {
    const tool = await test.makeTool("export default async () => ({ lamps: 7 });", {
      title: "Count zeppelin lamps",
      description: "Counts the lamps of the zeppelin.",
    });
    const { ts, message } = await ask("count the zeppelin lamps");
    expect(buttonsOf(message).map(({ label }) => label)).toEqual(["Run", "Not this one"]);
    await drain();
    expect(await runsOf(tool)).toEqual([]);
    const reactions = () => team.messages.find((one) => one.ts === ts)?.reactions;
    await vi.waitUntil(() => reactions()?.length === 0, soon);
    await press(slack, team, { user: other, message, label: "Run" });
    await drain();
    expect(await runsOf(tool)).toEqual([]);
    await Promise.all([1, 2, 3].map(() => press(slack, team, { user, message, label: "Run" })));
    const done = await answer(ts, 1);
    await drain();
    expect(wordsOf(done)).toMatch(/7[\s\S]*\/runs\/[\w-]+/);
    expect(await runsOf(tool)).toMatchObject([{ via: "bot" }]);
    expect(answersIn(team, ts)).toHaveLength(2);
    await vi.waitUntil(() => reactions()?.join() === "white_check_mark", soon);
  });

  it("runs nothing without a button press", async () => {
    const tool = await test.makeTool(echo, {
      title: "Send open invoices",
      description: "Sends the open invoices to the customers.",
      inputSchema: { type: "object", properties: { month: { type: "string" } } },
    });
    const words = [
      "send the open invoices",
      "do NOT send the open invoices",
      "how do I send the open invoices?",
      "who forgot to send the open invoices?",
      "Send open invoices",
      tool,
      `run ${tool}`,
      `RUN ${tool} {}`,
      `run ${tool} {"month": "May"}`,
      `please run ${tool}`,
      "yes",
      "Run",
      "run it now, I confirm",
    ];
    const files = [addFile(team, { name: "list.csv", text: "a" })];
    for (const text of words) {
      const { ts } = await ask(text, { rest: { files } });
      await slack.mention(team, user, "yes, run it", { thread: ts });
      await answer(ts, 1);
    }
    await drain();
    expect(await runsOf(tool)).toEqual([]);
  });

  it("answers help, thanks, stop and a request for the tools without offering one", async () => {
    const help = await ask("help");
    expect(wordsOf(help.message)).toContain("list tools");
    expect(wordsOf((await ask("thanks!")).message)).toContain("welcome");
    expect(wordsOf((await ask("stop")).message)).toContain("Nothing is running here");
    const { message } = await ask("list tools");
    expect(wordsOf(message)).toContain("Count zeppelin lamps");
    expect(wordsOf(message)).toContain("Some of the tools that I can run:");
    expect(buttonsOf(message)).toEqual([]);
  });

  it("reports invalid input instead of asking to confirm it", async () => {
    const tool = await test.makeTool(echo, {
      title: "Launch a balloon",
      confirm: true,
      inputSchema: {
        type: "object",
        properties: { height: { type: "number", maximum: 100 } },
        required: ["height"],
      },
    });
    const { message } = await ask(`run ${tool} {"height": 5000}`);
    expect(wordsOf(message)).toMatch(/wasn't run[\s\S]*height/);
    expect(buttonsOf(message).map(({ label }) => label)).toEqual(["Enter details"]);
  });

  it("takes the values from the message, and runs with them after Run", async () => {
    const tool = await test.makeTool(echo, {
      title: "Convert fathoms",
      description: "Converts an amount of fathoms to another unit.",
      inputSchema: {
        type: "object",
        properties: {
          amount: { type: "number" },
          from: { type: "string" },
          to: { type: "string" },
        },
        required: ["amount", "from", "to"],
      },
    });
    const { message } = await askAndRun("convert 5 fathoms to cables");
    expect(wordsOf(message)).toContain("cables");
    const input = { amount: 5, from: "fathoms", to: "cables" };
    expect(await runsOf(tool)).toMatchObject([{ input }]);
  });

  it("shows the input of a command, and runs exactly that input", async () => {
    const tool = await test.makeTool(echo, { title: "Water the ficus" });
    const { ts, message } = await ask(`run ${tool} {"litres": 2, "note": "\u202egnp.exe"}`);
    expect(wordsOf(message)).toContain("Litres: 2");
    expect(wordsOf(message)).toContain(String.raw`\\u202egnp.exe`);
    await press(slack, team, { user, message, label: "Run" });
    await answer(ts, 1);
    expect(wordsOf(message)).toContain(`chose to run Water the ficus.`);
    expect(wordsOf(message)).toContain("Litres: 2");
    expect(await runsOf(tool)).toMatchObject([{ input: { litres: 2, note: "\u202egnp.exe" } }]);
    const long = await ask(`run ${tool} {"note": "${"x".repeat(10_000)}"}`);
    expect(wordsOf(long.message)).toContain("too long to show here");
    expect(buttonsOf(long.message).map(({ label }) => label)).not.toContain("Run");
  });

  it("prefills certain values, and asks again when the tool has changed", async () => {
    const tool = await test.makeTool(echo, {
      title: "Rent a gondola",
      description: "Rents a gondola.",
      inputSchema: {
        type: "object",
        properties: {
          hours: { type: "integer" },
          color: { enum: ["black", "golden"] },
          code: { type: "string", format: "password" },
        },
        required: ["hours", "color"],
      },
    });
    const { ts, message } = await ask("rent a golden gondola for 3 hours");
    expect(buttonsOf(message).map(({ label }) => label)).toEqual([
      "Run",
      "Enter details",
      "Not this one",
    ]);
    const change = { description: "Rents a gondola, and sinks it." };
    expect((await test.call("PATCH", `/tools/${tool}`, change)).status).toBe(200);
    await press(slack, team, { user, message, label: "Run" });
    const again = await changed(message, "has changed since I asked you");
    expect(await runsOf(tool)).toEqual([]);
    await press(slack, team, { user, message: again, label: "Run" });
    await answer(ts, 1);
    expect(await runsOf(tool)).toMatchObject([{ input: { hours: 3, color: "golden" } }]);
    const negated = await ask("do not rent a golden gondola for 3 hours");
    expect(buttonsOf(negated.message).map(({ label }) => label)).not.toContain("Run");
  });

  it("opens a form with every kind of field, reports its problems, and runs once", async () => {
    const code = `export default async (input, ctx) => {
      const file = await ctx.files.open(input.sheet);
      return { pupil: input.pupil, sheet: await file.text() };
    };`;
    const tool = await test.makeTool(code, {
      title: "Book xylophone lesson",
      description: "Books a xylophone lesson.",
      inputSchema: {
        type: "object",
        properties: {
          pupil: { type: "string", title: "Pupil", description: "Who comes.", maxLength: 20 },
          minutes: { type: "integer", minimum: 10 },
          price: { type: "number" },
          loud: { type: "boolean" },
          level: { enum: ["first", "second", 3] },
          songs: { type: "array", items: { enum: ["a", "b", "c"] } },
          day: { type: "string", format: "date" },
          at: { type: "string", format: "time" },
          notes: { type: "string", maxLength: 5_000 },
          guests: { type: "array", items: { type: "string" } },
          room: { type: "object", properties: { floor: { type: "integer" } }, required: ["floor"] },
          kind: { const: "lesson" },
          sheet: { type: "string", title: "Sheet music" },
        },
        required: ["pupil", "minutes", "loud", "level", "room", "kind", "sheet"],
      },
      fileFields: ["sheet"],
    });
    const { ts, message } = await ask("book a xylophone lesson");
    expect(await runsOf(tool)).toEqual([]);
    const opened = await press(slack, team, { user, message, label: "Enter details" });
    const view = await vi.waitUntil(() => viewOf(team, opened), soon);
    const fields = view.blocks.filter(({ type }) => type === "input");
    expect(
      fields.map(({ label, element, optional }) => [label?.text, element?.type, optional]),
    ).toEqual([
      ["Pupil", "plain_text_input", false],
      ["Minutes", "number_input", false],
      ["Price", "number_input", true],
      ["Loud", "checkboxes", true],
      ["Level", "static_select", false],
      ["Songs", "multi_static_select", true],
      ["Day", "datepicker", true],
      ["At", "timepicker", true],
      ["Notes", "plain_text_input", true],
      ["Guests", "plain_text_input", true],
      ["Room", "plain_text_input", false],
      ["Sheet music", "file_input", false],
    ]);
    const file = addFile(team, { name: "waltz.txt", text: "do re mi" });
    const good = {
      pupil: { type: "plain_text_input", value: "Ada" },
      minutes: { type: "number_input", value: "45" },
      price: { type: "number_input", value: "12.5" },
      loud: { type: "checkboxes", selected_options: [] },
      level: { type: "static_select", selected_option: { value: "2" } },
      songs: { type: "multi_static_select", selected_options: [{ value: "0" }, { value: "2" }] },
      day: { type: "datepicker", selected_date: "2026-12-24" },
      at: { type: "timepicker", selected_time: "17:30" },
      guests: { type: "plain_text_input", value: "Bob\n\n Eve " },
      room: { type: "plain_text_input", value: '{"floor": 2}' },
      sheet: { type: "file_input", files: [file] },
    };
    const send = (values: Record<string, object>, who = user) =>
      submit(slack, team, { user: who, view, values });
    const text = (value: string) => ({ type: "plain_text_input", value });
    const empty = { type: "file_input", files: [] };
    const unread = { ...good, minutes: text("many"), room: text("{"), sheet: empty };
    expect((await send(unread)).errors).toEqual({
      "field:minutes": expect.stringContaining("number"),
      "field:room": expect.stringContaining("JSON"),
      "field:sheet": expect.stringContaining("Choose a file"),
    });
    const wrong = { ...good, minutes: text("5"), room: text('{"floor": "x"}') };
    expect((await send(wrong)).errors).toEqual({
      "field:minutes": expect.stringMatching(/10/),
      "field:room": expect.stringContaining("floor"),
    });
    // Only the user who was asked can submit the form, and only once. Others see why it is rejected.
    expect((await send(good, other)).notice).toContain("Only the user who asked");
    const twice = await Promise.all([send(good), send(good)]);
    const [first, second] = twice.map(({ notice = "" }) => notice).toSorted(byText);
    expect(first).toBe("");
    expect(second).toContain("already answered");
    expect((await send(good)).notice).toContain("already answered");
    const done = await answer(ts, 1);
    await drain();
    const runs = await runsOf(tool);
    expect(runs).toHaveLength(1);
    expect(runs[0]?.input).toEqual({
      pupil: "Ada",
      minutes: 45,
      price: 12.5,
      loud: false,
      level: 3,
      songs: ["a", "c"],
      day: "2026-12-24",
      at: "17:30:00Z",
      guests: ["Bob", "Eve"],
      room: { floor: 2 },
      kind: "lesson",
      sheet: expect.stringMatching(/^[\w-]{36}$/),
    });
    expect(wordsOf(done)).toContain("Ada");
    expect(wordsOf(done)).toContain("do re mi");
    expect(answersIn(team, ts)).toHaveLength(2);
    expect(buttonsOf(await answer(ts))).toEqual([]);
  });

  it("asks for confirmation with the whole input, and takes no input from the press", async () => {
    const tool = await test.makeTool(echo, {
      title: "Launch quixotic rocket",
      description: "Launches the quixotic rocket.",
      confirm: true,
      inputSchema: {
        type: "object",
        properties: {
          target: { type: "string" },
          code: { type: "string", format: "password" },
        },
      },
    });
    // The response to the post arrives late, and the user presses the button before that.
    slack.faults.push({ method: "chat.postMessage", times: 1, delayMs: 1_000, isDone: true });
    const { ts, message } = await ask(
      `run ${tool} {"target": "<!channel> \u202egnp.exe \`\`\`", "code": "hunter2"}`,
    );
    const words = wordsOf(message);
    expect(words).toContain("Run Launch quixotic rocket with this input?");
    // The whole input, with invisible characters escaped, and without the secret.
    expect(words).toContain(String.raw`\\u202egnp.exe`);
    expect(words).not.toContain("hunter2");
    expect(await runsOf(tool)).toEqual([]);
    await press(slack, team, { user: other, message, label: "Run" });
    await vi.waitUntil(
      () => team.ephemerals.some((one) => one.user === other && /Only the user/.test(one.text)),
      soon,
    );
    expect(await runsOf(tool)).toEqual([]);
    await Promise.all([
      press(slack, team, { user, message, label: "Run" }),
      press(slack, team, { user, message, label: "Run" }),
    ]);
    await answer(ts, 1);
    await drain();
    expect(await runsOf(tool)).toMatchObject([{ input: { code: "[redacted]" } }]);
    expect(buttonsOf(message)).toEqual([]);
    const count = team.ephemerals.length;
    await pressValue(slack, team, { user, message, value: `${crypto.randomUUID()}:run` });
    await vi.waitUntil(() => team.ephemerals.length > count, soon);
    expect(team.ephemerals.at(-1)?.text).toContain("expired");
  });

  it("rejects answers that have expired, or from a person who is no longer linked", async () => {
    const tool = await test.makeTool(echo, {
      title: "Shear llama",
      description: "Shears the llama.",
      inputSchema: { type: "object", properties: { how: { type: "string" } }, required: ["how"] },
    });
    const { user: leaving, userId } = await addLinked(test, slack, team, "member");
    const { ts } = await slack.mention(team, leaving, `run ${tool}`);
    const message = await answer(ts);
    const opened = await press(slack, team, { user: leaving, message, label: "Enter details" });
    const view = await vi.waitUntil(() => viewOf(team, opened), soon);
    const values = { how: { type: "plain_text_input", value: "short" } };
    const answerBoth = async () => {
      await press(slack, team, { user: leaving, message, label: "Not this one" });
      const { notice } = await submit(slack, team, { user: leaving, view, values });
      return [team.ephemerals.at(-1)?.text, notice];
    };
    const { kysely } = test.service.context.db;
    const links = kysely.updateTable("chat_links").where("user_id", "=", userId);
    await links.set({ user_id: null }).execute();
    const unlinked = expect.stringContaining("no longer linked");
    expect(await answerBoth()).toEqual([unlinked, unlinked]);
    const questions = kysely.updateTable("chat_questions").where("chat_user_id", "=", leaving);
    await questions.set({ expires_at: 1 }).execute();
    const expired = expect.stringContaining("expired");
    expect(await answerBoth()).toEqual([expired, expired]);
    await drain();
    expect(await runsOf(tool)).toEqual([]);
  });

  it("takes no values of a form once the tool has changed, and offers it again", async () => {
    const inputSchema = (...places: string[]) => ({
      type: "object",
      properties: { place: { enum: places } },
      required: ["place"],
    });
    const tool = await test.makeTool(echo, {
      title: "Deploy the dirigible",
      inputSchema: inputSchema("staging", "production"),
    });
    const { ts, message } = await ask(`run ${tool}`);
    const opened = await press(slack, team, { user, message, label: "Enter details" });
    const view = await vi.waitUntil(() => viewOf(team, opened), soon);
    const change = { inputSchema: inputSchema("production", "staging") };
    expect((await test.call("PATCH", `/tools/${tool}`, change)).status).toBe(200);
    const selected = { type: "static_select", selected_option: { value: "0" } };
    await submit(slack, team, { user, view, values: { place: selected } });
    const again = await changed(message, "has changed since I asked you");
    expect(answersIn(team, ts)).toHaveLength(1);
    expect(buttonsOf(again).map(({ label }) => label)).toContain("Enter details");
    await drain();
    expect(await runsOf(tool)).toEqual([]);
  });

  it("runs nothing after Cancel, and asks again when the tool has changed", async () => {
    const tool = await test.makeTool(echo, {
      title: "Sell the aardvark",
      description: "Sells the aardvark.",
      confirm: true,
    });
    const { ts, message } = await ask("sell the aardvark");
    expect(wordsOf(message)).toContain("Sells the aardvark.");
    expect(labelsOf(message)).toEqual(["Run", "Not this one"]);
    await test.call("PATCH", `/tools/${tool}`, {
      description: "Sells the aardvark, and the house.",
    });
    await press(slack, team, { user, message, label: "Run" });
    const again = await changed(message, "has changed since I asked you");
    expect(await runsOf(tool)).toEqual([]);
    await press(slack, team, { user, message: again, label: "Cancel" });
    await drain();
    expect(wordsOf(message)).toContain("Cancelled; nothing was run.");
    expect(answersIn(team, ts)).toHaveLength(1);
    expect(await runsOf(tool)).toEqual([]);
  });
});

describe("a message that completes an offer", () => {
  beforeAll(async () => {
    const text = { type: "string" };
    await test.makeTool(echo, {
      title: "Convert furlongs",
      description: "Converts a length.",
      inputSchema: {
        type: "object",
        properties: { value: { type: "number" }, from: text, to: text },
        required: ["value", "from", "to"],
      },
    });
  });

  it("adds its values to the offer in the thread, and ends the earlier message", async () => {
    const { ts, message } = await ask("convert 5 furlongs");
    expect(labelsOf(message)).not.toContain("Run");
    await slack.mention(team, user, "to km please", { thread: ts });
    const next = await answer(ts, 1);
    expect(labelsOf(next)).toContain("Run");
    for (const words of ["Value: 5", "From: furlongs", "To: km"]) {
      expect(wordsOf(next)).toContain(words);
    }
    await changed(message, "continued below");
    expect(labelsOf(message)).toEqual([]);
  });

  it("adds its values to the offer in a direct conversation", async () => {
    const { message } = await askDirectly("convert 7 furlongs");
    expect(labelsOf(message)).not.toContain("Run");
    const next = await askDirectly("to km please");
    expect(wordsOf(next.message)).toContain("Value: 7");
    expect(wordsOf(next.message)).toContain("To: km");
  });

  it("adds nothing to the offer of another person", async () => {
    const { ts } = await ask("convert 9 furlongs");
    await slack.mention(team, other, "to km please", { thread: ts });
    expect(wordsOf(await answer(ts, 1))).not.toContain("Value: 9");
  });
});

describe("a request that matches several tools or none", () => {
  it("offers the best three tools, and None of these", async () => {
    const make = (title: string) =>
      test.makeTool(echo, { title, description: "Polishes a walrus statue." });
    const bronze = await make("Polish bronze walrus");
    await make("Polish marble walrus");
    await make("Polish wooden walrus");
    const { ts, message } = await ask("polish the walrus");
    const labels = buttonsOf(message).map(({ label }) => label);
    expect(labels).toHaveLength(4);
    expect(labels.at(-1)).toBe("None of these");
    await press(slack, team, { user, message, label: "Polish bronze walrus" });
    const chosen = await vi.waitUntil(() => labelsOf(message)[0] === "Run" && message, soon);
    await drain();
    expect(await runsOf(bronze)).toEqual([]);
    await press(slack, team, { user, message: chosen, label: "Run" });
    await answer(ts, 1);
    expect(await runsOf(bronze)).toHaveLength(1);

    const next = await ask("polish the walrus please");
    await press(slack, team, { user, message: next.message, label: "None of these" });
    await changed(next.message, "browse the tools");
    expect(answersIn(team, next.ts)).toHaveLength(1);
  });

  it("replaces an offer that the person rejects with other tools", async () => {
    for (const title of ["Tune the harpsichord", "Sell the harpsichord"]) {
      await test.makeTool(echo, { title, description: "For music." });
    }
    const { ts, message } = await ask("tune the harpsichord");
    expect(labelsOf(message)).toEqual(["Run", "Not this one"]);
    await press(slack, team, { user, message, label: "Not this one" });
    await vi.waitUntil(() => labelsOf(message)[0] === "Sell the harpsichord", soon);
    expect(answersIn(team, ts)).toHaveLength(1);
  });

  it("replies that no tool was found", async () => {
    const { message } = await ask("zzyzx qwrtpsdf");
    expect(wordsOf(message)).toContain("found no tool");
    expect(wordsOf((await ask("")).message)).toContain("Tell me what to do");
  });

  it("rejects a person who may not run tools, and a press for a tool that no longer exists", async () => {
    const { user: viewer } = await addLinked(test, slack, team, "viewer");
    const { ts } = await slack.mention(team, viewer, "count the zeppelin lamps");
    expect(wordsOf(await answer(ts))).toContain("Your role in this workspace");
    const tool = await test.makeTool(echo, {
      title: "Repair bagpipe",
      description: "Repairs the bagpipe.",
      inputSchema: { type: "object", properties: { reed: { type: "string" } }, required: ["reed"] },
    });
    const { ts: thread, message } = await ask("repair the bagpipe");
    expect((await test.call("DELETE", `/tools/${tool}`)).status).toBeLessThan(300);
    const trigger = await press(slack, team, { user, message, label: "Enter details" });
    expect(wordsOf(await answer(thread, 1))).toMatch(/no tool named|archived/i);
    expect(viewOf(team, trigger)).toBeUndefined();
  });

  it("ignores earlier messages of the thread", async () => {
    const tool = await test.makeTool(echo, {
      title: "Feed gryphon",
      description: "Feeds the gryphon.",
      inputSchema: { type: "object", properties: { meat: { type: "string" } }, required: ["meat"] },
    });
    const { ts } = await ask("feed the gryphon with ham");
    await slack.mention(team, user, "yes", { thread: ts });
    expect(wordsOf(await answer(ts, 1))).toContain("found no tool");
    expect(await runsOf(tool)).toEqual([]);
  });
});

describe("a run", () => {
  it("reports its failure without mentions or links from the error", async () => {
    const tool = await test.makeTool(
      'export default async () => { throw new Error("<!channel> <@U123> ``` <https://evil.example|click>"); };',
    );
    const { message } = await askAndRun(`run ${tool}`);
    expect(wordsOf(message)).toContain(" failed:");
    expect(message.text).not.toMatch(/<!|<@|<http/);
    const markup = JSON.stringify(message.blocks).match(
      /"type":"(?:mrkdwn|markdown|user|broadcast)"/,
    );
    expect(markup).toBeNull();
  });

  it("shows a button to add a missing credential, and runs again on request", async () => {
    const tool = await test.makeTool("export default async (_, ctx) => ({ ok: true });", {
      title: "Gadget",
      credentials: [
        { name: "GADGET_KEY", description: "key of the gadget API", hosts: ["api.example.com"] },
      ],
      allowedHosts: ["api.example.com"],
    });
    const { ts, message } = await askAndRun(`run ${tool} {"n": 1}`);
    const connect = buttonsOf(message).find(({ label }) => label === "Add GADGET_KEY");
    expect(connect?.url).toContain(test.baseUrl);
    expect(wordsOf(message)).toContain("Gadget needs GADGET_KEY (key of the gadget API).");
    const added = await test.call("POST", "/credentials", {
      name: "GADGET_KEY",
      value: "gadget-secret",
      owner: "workspace",
      hosts: ["api.example.com"],
    });
    expect(added.status).toBe(201);
    await test.callAsOwner("POST", `/tools/${tool}/approvals`, { owner: "workspace", version: 1 });
    // The service may continue before the user presses the button.
    const done = await answer(ts, 2);
    expect(wordsOf(done)).not.toContain("gadget-secret");
    expect(await runsOf(tool)).toHaveLength(1);
  });

  it("says once a credential is added that an approval is missing, and runs once after it", async () => {
    const { apiKey } = await test.addPerson(test.workspaceId, "builder");
    const asBuilder = { authorization: `Bearer ${apiKey}` };
    const definition = {
      ...draftOf('export default async () => ({ state: "resumed" });'),
      credentials: [{ name: "SHARED_GADGET", hosts: ["api.example.com"] }],
      allowedHosts: ["api.example.com"],
    };
    const made = await test.call("POST", "/tools", definition, asBuilder);
    const tool = String(made.body.name);
    const { ts, message } = await askAndRun(`run ${tool} {}`);
    expect(wordsOf(message)).toContain("as soon as");
    expect(labelsOf(message)).toEqual(["Add SHARED_GADGET", "Try now"]);
    await press(slack, team, { user, message, label: "Try now" });
    await changed(message, "Not run yet");
    await drain();
    expect(answersIn(team, ts)).toHaveLength(2);
    expect(labelsOf(message)).toEqual(["Add SHARED_GADGET", "Try now"]);
    const credential = { name: "SHARED_GADGET", value: "gadget-secret", owner: "workspace" };
    await test.call("POST", "/credentials", { ...credential, hosts: ["api.example.com"] });
    const lacking = await answer(ts, 2);
    expect(wordsOf(lacking)).toContain(
      "uses the workspace's SHARED_GADGET. I'll run it as soon as",
    );
    const review = buttonsOf(lacking).find(({ label }) => label === "Review SHARED_GADGET");
    expect(review?.url).toContain(`/tools/${tool}?approve=1&owner=workspace`);
    await drain();
    expect(await runsOf(tool)).toHaveLength(0);
    const request = { owner: "workspace", version: 1 };
    const path = `/tools/${tool}/approvals`;
    expect((await test.callAsOwner("POST", path, request)).status).toBe(200);
    // Other nodes look as well, and the person may be as fast as they are.
    await Promise.all([
      ...Array.from({ length: 4 }, resumeQuestions),
      press(slack, team, { user, message: lacking, label: "Try now" }),
    ]);
    expect(wordsOf(await answer(ts, 3))).toContain("resumed");
    await drain();
    await resumeQuestions();
    await drain();
    expect(await runsOf(tool)).toHaveLength(1);
  });

  it("starts automatically once a missing credential is added", async () => {
    const tool = await test.makeTool('export default async () => ({ state: "resumed" });', {
      credentials: [{ name: "ADDED_LATER", hosts: ["api.example.com"] }],
      allowedHosts: ["api.example.com"],
    });
    const { ts } = await askAndRun(`run ${tool} {"n": 2}`);
    const added = await test.call("POST", "/credentials", {
      name: "ADDED_LATER",
      value: "later-secret",
      owner: "workspace",
      hosts: ["api.example.com"],
      approve: { tool, version: 1 },
    });
    expect(added.body).toMatchObject({ approved: true });
    expect(wordsOf(await answer(ts, 2))).toContain("resumed");
    await drain();
    expect(await runsOf(tool)).toHaveLength(1);
  });

  it("posts a file that it saved, and no other file", async () => {
    const stranger = await test.call("POST", "/upload", {
      fileName: "salaries.csv",
      mimeType: "text/csv",
      contentBase64: Buffer.from("secret").toString("base64"),
    });
    const tool = await test.makeTool(
      `export default async (_, ctx) => ({
        report: await ctx.files.save({ name: "report.txt", mimeType: "text/plain", body: "hello file" }),
        nothing: await ctx.files.save({ name: "void.txt", mimeType: "text/plain", body: "" }),
        other: { fileId: "${stranger.body.fileId}", fileName: "salaries.csv" },
        rows: [{ city: "Rome", people: 3 }, { city: "Oslo", people: 1 }],
      });`,
    );
    const { message } = await askAndRun(`run ${tool}`);
    const file = await vi.waitUntil(
      () =>
        [...team.files.values()].find(({ name, body }) => name === "report.txt" && body.length > 0),
      soon,
    );
    expect(file.body.toString()).toBe("hello file");
    await drain();
    expect(wordsOf(message)).toContain("void.txt is empty");
    expect([...team.files.values()].map(({ name }) => name)).not.toContain("salaries.csv");
    expect(JSON.stringify(message.blocks)).toMatch(/"type":"table"/);
  });

  it("takes files of the message from the platform's own host, up to the size limit", async () => {
    const tool = await test.makeTool(
      `export default async ({ sheet, title }, ctx) => {
        const file = await ctx.files.open(sheet);
        return { name: file.name, text: await file.text() };
      };`,
      {
        title: "Read papyrus sheet",
        description: "Reads a papyrus sheet.",
        fileFields: ["sheet"],
        inputSchema: {
          type: "object",
          properties: { sheet: { type: "string" } },
          required: ["sheet"],
        },
      },
    );
    const files = [addFile(team, { name: "nile.txt", text: "reed boat" })];
    const { message } = await askAndRun("read the papyrus sheet", { rest: { files } });
    expect(wordsOf(message)).toContain("reed boat");
    expect(await runsOf(tool)).toHaveLength(1);
    const { ts: thread } = await ask("thanks, keep this", { rest: { files } });
    await slack.mention(team, user, "read the papyrus sheet", { thread });
    const offer = await answer(thread, 1);
    expect(wordsOf(offer)).toContain("nile.txt");
    expect(buttonsOf(offer).map(({ label }) => label)).toContain("Run");
    const lost = [{ ...files[0], id: slackId("F") }];
    const refused = await askAndRun("read the papyrus sheet", { rest: { files: lost } });
    expect(wordsOf(refused.message)).toContain("can't download the file");
    const large = [{ ...files[0], size: 1e12 }];
    const bounded = await askAndRun("read the papyrus sheet", { rest: { files: large } });
    expect(wordsOf(bounded.message)).toContain("too large");
  });
});
