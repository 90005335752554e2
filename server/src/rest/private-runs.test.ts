import { randomUUID } from "node:crypto";
import type { RawCreateToolInput } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import { findRunEvents } from "#testing/run-events";
import type { TestService } from "#testing/service";

type Call = TestService["call"];
type Who = "author" | "colleague" | "admin" | "owner" | "auditor" | "stranger";

let test: TestService;
let calls: Record<Who, Call>;
let keys: Record<Who, string>;
let ids: Record<Who, string>;
/** A shared tool that others run. */
let helper: string;

beforeAll(async () => {
  test = await startTestService();
  const person = (role: string, id = test.workspaceId) => test.addPerson(id, role);
  const elsewhere = await test.addWorkspace();
  const people = {
    author: await person("builder"),
    colleague: await person("builder"),
    admin: await person("admin"),
    auditor: await person("admin"),
    stranger: await person("owner", elsewhere),
  };
  const me = await test.call("GET", "/me");
  keys = {
    author: people.author.apiKey,
    colleague: people.colleague.apiKey,
    admin: people.admin.apiKey,
    auditor: people.auditor.apiKey,
    stranger: people.stranger.apiKey,
    owner: test.apiKey,
  };
  ids = {
    author: people.author.userId,
    colleague: people.colleague.userId,
    admin: people.admin.userId,
    auditor: people.auditor.userId,
    stranger: people.stranger.userId,
    owner: String(me.body.user.id),
  };
  calls = Object.fromEntries(
    Object.entries(keys).map(([who, key]): [string, Call] => [
      who,
      (method, path, body, headers) =>
        test.call(method, path, body, { authorization: `Bearer ${key}`, ...headers }),
    ]),
  ) as Record<Who, Call>;
  helper = await test.makeTool("export default (input) => ({ received: input.text });", {
    title: "Shared helper",
  });
});
afterAll(() => test.stop());

/** Part of everything that belongs to a tool, and visible to its author only while the tool is private. */
type Word = "quokka" | "kestrel" | "gannet";

const code = (word: Word) => `
  export default async (input, ctx) => {
    console.log("log ${word} " + input.text);
    ctx.progress(0.5, "progress ${word}");
    if (input.slow) await new Promise((resolve) => setTimeout(resolve, 30_000));
    const read = input.file ? await (await ctx.files.open(input.file)).text() : "";
    const file = await ctx.files.save({
      name: "${word}.txt", mimeType: "text/plain", body: "saved ${word}",
    });
    const child = await ctx.tools.run("${helper}", { text: "child ${word}" });
    return { text: "output ${word}", read, file: file.fileId, child };
  };`;

const draft = (word: Word, visibility: "private" | "workspace"): RawCreateToolInput => ({
  ...draftOf(code(word)),
  title: `${word} ledger`,
  description: `Keeps the ${word} ledger.`,
  visibility,
  inputSchema: {
    type: "object",
    properties: { text: { type: "string" }, file: { type: "string" }, slow: { type: "boolean" } },
  },
  fileFields: ["file"],
  allowedHosts: [`${word}.example.com`],
});

async function makeTool(word: Word, visibility: "private" | "workspace"): Promise<string> {
  const { status, body } = await calls.author("POST", "/tools", draft(word, visibility));
  expect(status).toBe(201);
  return String(body.name);
}

type Ran = {
  word: Word;
  tool: string;
  runId: string;
  childId: string;
  saved: string;
  uploaded: string;
};

/** Runs a tool, or a draft, with an upload. */
async function run(who: Who, word: Word, tool: string, path = `/run/${tool}`): Promise<Ran> {
  const upload = await calls[who]("POST", "/upload", {
    fileName: `${word}-upload.txt`,
    mimeType: "text/plain",
    contentBase64: Buffer.from(`uploaded ${word}`).toString("base64"),
  });
  const uploaded = String(upload.body.fileId);
  const answer = await calls[who]("POST", path, { text: `input ${word}`, file: uploaded });
  expect(answer.body).toMatchObject({
    status: "completed",
    output: { text: `output ${word}`, read: `uploaded ${word}` },
  });
  const { runId, output } = answer.body;
  const children = await calls[who]("GET", `/runs?parentRunId=${runId}`);
  const [child] = children.body as { runId: string }[];
  return {
    word,
    tool,
    runId: String(runId),
    childId: String(child?.runId),
    saved: String(output.file),
    uploaded,
  };
}

async function mcp(who: Who, method: string, params: object): Promise<string> {
  const response = await fetch(`${test.baseUrl}/api/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${keys[who]}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return response.text();
}
const checkRun = (who: Who, runId: string) =>
  mcp(who, "tools/call", {
    name: "service_check_run",
    arguments: { run_id: runId, wait_seconds: 1 },
    _meta: { progressToken: "told" },
  });

/** Every path of the run and of its data. */
const directOf = ({ runId, childId, saved, uploaded }: Ran) => [
  ...[runId, childId].flatMap((id) => [`/runs/${id}`, `/runs/${id}/logs`]),
  `/files/${saved}`,
  `/files/${uploaded}`,
];

/** Every list, count and export that could reveal it. */
const listsOf = ({ word, tool, runId, childId, saved, uploaded }: Ran) => [
  "/runs?limit=200",
  `/runs?limit=200&toolName=${tool}`,
  `/runs?limit=200&toolName=${helper}`,
  "/runs?limit=200&status=completed",
  "/runs?limit=200&via=rest",
  `/runs?limit=200&userId=${ids.author}`,
  `/runs?limit=200&q=${word}`,
  `/runs?q=${runId}`,
  `/runs?q=${childId}`,
  `/runs?parentRunId=${runId}`,
  "/runs?limit=200&draft=true",
  "/tool-activity",
  `/tool-activity?toolName=${helper}`,
  "/audit-events?limit=200",
  `/audit-events?limit=200&actor=${ids.author}`,
  "/audit-events?limit=200&action=run.create",
  ...[runId, childId, saved, uploaded, tool].map((id) => `/audit-events?target=${id}`),
];

/** The paths that reveal texts, IDs or files of a run to a user. */
async function leaksTo(who: Who, ran: Ran): Promise<string[]> {
  const call = calls[who];
  const found: string[] = [];
  const { runId, childId, saved, uploaded } = ran;
  const look = (path: string, text: string) => {
    // An audit event remains, with the ID of its target only.
    const isAudit = /audit|text\/csv|ndjson/.test(path);
    const marks = isAudit ? [ran.word] : [runId, childId, saved, uploaded, ran.word];
    if (marks.some((mark) => text.includes(mark))) found.push(path);
  };
  for (const path of directOf(ran)) {
    const { status, text } = await call("GET", path);
    if (status !== 404) found.push(`${path} answered ${status}`);
    // A 404 repeats the ID that was asked for.
    look(path, text.replaceAll(path.split("/")[2] ?? "", ""));
  }
  for (const path of listsOf(ran)) look(path, (await call("GET", path)).text);
  for (const accept of ["text/csv", "application/x-ndjson"]) {
    for (const query of ["", `?target=${runId}`]) {
      const headers = { accept, authorization: `Bearer ${keys[who]}` };
      const exported = await fetch(`${test.baseUrl}/api/v1/audit-events${query}`, { headers });
      look(`${accept}${query}`, await exported.text());
    }
  }
  const stream = { accept: "text/event-stream" };
  const live = await call("GET", `/runs/${runId}/logs`, undefined, stream);
  if (live.status !== 404) found.push("live log");
  for (const id of [runId, childId]) {
    if ((await call("POST", `/runs/${id}/cancel`)).status !== 404) found.push("cancel");
  }
  const asked = (await checkRun(who, runId)).replaceAll(runId, "");
  look("service_check_run", asked);
  return found;
}

const others: Who[] = ["colleague", "admin", "owner", "auditor", "stranger"];

async function expectHidden(ran: Ran, from: readonly Who[] = others): Promise<void> {
  const seen = await Promise.all(from.map(async (who) => [who, await leaksTo(who, ran)] as const));
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(from.map((who) => [who, []])));
}

async function expectSeen(who: Who, ran: Ran): Promise<void> {
  const answers = await Promise.all(
    directOf(ran).map(async (path) => [path, (await calls[who]("GET", path)).status] as const),
  );
  expect(Object.fromEntries(answers)).toEqual(
    Object.fromEntries(directOf(ran).map((path) => [path, 200])),
  );
  const list = await calls[who]("GET", `/runs?limit=200&toolName=${ran.tool}`);
  expect(list.text).toContain(ran.runId);
  expect(await checkRun(who, ran.runId)).toContain(`output ${ran.word}`);
}

const setVisibility = async (tool: string, visibility: string) =>
  expect((await calls.author("PATCH", `/tools/${tool}`, { visibility })).status).toBe(200);

describe("the runs API for a private tool", () => {
  it("returns its runs to its author only", async () => {
    const ran = await run("author", "quokka", await makeTool("quokka", "private"));
    await expectSeen("author", ran);
    await expectHidden(ran);
    await calls.author("DELETE", `/tools/${ran.tool}`);
    await expectHidden(ran);
  });

  it("returns earlier runs to its author only after the tool is shared", async () => {
    const tool = await makeTool("kestrel", "private");
    const before = await run("author", "kestrel", tool);
    await setVisibility(tool, "workspace");
    const shared = await run("colleague", "kestrel", tool);
    await expectSeen("author", before);
    for (const who of ["author", "colleague", "admin", "owner"] as const) {
      await expectSeen(who, shared);
    }
    // The tool itself is visible now, so this searches only for data of the run.
    for (const who of others) {
      const { runId, saved, uploaded, childId } = before;
      for (const path of directOf(before)) {
        expect((await calls[who]("GET", path)).status).toBe(404);
      }
      for (const path of listsOf(before).filter((one) => !one.startsWith("/audit"))) {
        const { text } = await calls[who]("GET", path);
        for (const id of [runId, saved, uploaded, childId]) {
          expect(text.includes(id)).toBe(false);
        }
      }
    }
    const activity = await calls.colleague("GET", `/tool-activity?toolName=${tool}`);
    expect(activity.body[0].runs.map((one: { runId: string }) => one.runId)).toEqual([
      shared.runId,
    ]);
  });

  it("returns runs from when it was shared to the users who started them", async () => {
    const tool = await makeTool("gannet", "workspace");
    const ran = await run("colleague", "gannet", tool);
    for (const who of ["author", "colleague", "admin", "owner"] as const) {
      await expectSeen(who, ran);
    }
    await setVisibility(tool, "private");
    await expectSeen("colleague", ran);
    expect((await calls.author("GET", `/runs/${ran.runId}`)).status).toBe(200);
    for (const who of ["admin", "owner", "auditor", "stranger"] as const) {
      for (const path of [`/runs/${ran.runId}`, `/runs/${ran.runId}/logs`, `/files/${ran.saved}`]) {
        expect((await calls[who]("GET", path)).status).toBe(404);
      }
      // The child of a shared tool stays visible, without its parent run.
      const child = await calls[who]("GET", `/runs/${ran.childId}`);
      expect(child.body.parentRunId ?? null).toBe(null);
      expect((await calls[who]("GET", `/runs?parentRunId=${ran.runId}`)).text).not.toContain(
        ran.childId,
      );
      const auditEvents = await calls[who]("GET", `/audit-events?limit=200&actor=${ids.colleague}`);
      expect(auditEvents.text).not.toContain(tool);
    }
    await setVisibility(tool, "workspace");
    await expectSeen("admin", ran);
  });

  it("returns runs of an installed tool to the workspace that installed it", async () => {
    const tool = await test.makeTool("export default () => ({ done: true });", {
      visibility: "public",
    });
    await calls.stranger("POST", `/tools/${tool}/install`);
    const home = await calls.stranger("GET", "/me");
    const mate = await test.addPerson(String(home.body.workspace.id), "member");
    const { body } = await calls.stranger("POST", `/run/${tool}`, {});
    await test.call("PATCH", `/tools/${tool}`, { visibility: "private" });
    const headers = { authorization: `Bearer ${mate.apiKey}` };
    const seen = await test.call("GET", `/runs/${body.runId}`, undefined, headers);
    expect(seen.status).toBe(200);
    expect((await test.call("GET", `/runs/${body.runId}`)).status).toBe(404);
  });

  it("hides runs in progress from others, who cannot cancel them", async () => {
    const tool = await makeTool("quokka", "private");
    const { body } = await calls.author(
      "POST",
      `/run/${tool}`,
      { text: "input quokka", slow: true },
      { prefer: "respond-async" },
    );
    const { runId } = body;
    await expect
      .poll(async () => (await calls.author("GET", `/runs/${runId}`)).body.progress?.message)
      .toBe("progress quokka");
    for (const who of others) {
      expect(await checkRun(who, runId)).not.toMatch(/quokka/);
      expect((await calls[who]("POST", `/runs/${runId}/cancel`)).status).toBe(404);
      expect((await calls[who]("GET", "/runs?status=running")).text).not.toContain(runId);
    }
    expect(await checkRun("author", runId)).toContain("progress quokka");
    const cancelled = await calls.author("POST", `/runs/${runId}/cancel`);
    expect(cancelled.body.status).toBe("cancelled");
    const auditEvents = await calls.auditor("GET", `/audit-events?target=${runId}`);
    expect(auditEvents.text).not.toContain("quokka");
    expect(auditEvents.body).toMatchObject([
      { action: "run.create", outcome: "cancelled", hidden: true, details: {} },
      { action: "run.cancel", outcome: "success", hidden: true, details: {} },
    ]);
  });
});

describe("run of a shared tool that runs a private one", () => {
  it("is visible to its author only, with all later child runs at any depth", async () => {
    const inner = await makeTool("quokka", "private");
    const relay = (name: string) => `
      export default async (input, ctx) => {
        const early = await ctx.files.save({ name: "early.txt", mimeType: "text/plain", body: "early" });
        const child = await ctx.tools.run("${name}", { text: input.text });
        const late = await ctx.tools.run("${helper}", { text: child.text });
        return { text: child.text, early: early.fileId, late };
      };`;
    const make = async (name: string) => {
      const made = await calls.colleague("POST", "/tools", draftOf(relay(name)));
      return String(made.body.name);
    };
    const middle = await make(inner);
    const outer = await make(middle);
    const answer = await calls.author("POST", `/run/${outer}`, { text: "input quokka" });
    expect(answer.body).toMatchObject({ status: "completed", output: { text: "output quokka" } });
    const { runId, output } = answer.body;
    const below = async (id: string): Promise<string[]> => {
      const { body } = await calls.author("GET", `/runs?parentRunId=${id}`);
      const children = (body as { runId: string }[]).map((child) => child.runId);
      return [...children, ...(await Promise.all(children.map(below))).flat()];
    };
    const all = [String(runId), ...(await below(String(runId)))];
    expect(all).toHaveLength(6);
    const paths = [
      ...all.flatMap((id) => [`/runs/${id}`, `/runs/${id}/logs`]),
      `/files/${output.early}`,
    ];
    for (const path of paths) {
      expect([path, (await calls.author("GET", path)).status]).toEqual([path, 200]);
      expect([path, (await calls.colleague("GET", path)).status]).toEqual([path, 404]);
    }
    for (const path of ["/runs?limit=200", `/runs?toolName=${outer}`, `/runs?toolName=${helper}`]) {
      expect((await calls.colleague("GET", path)).text).not.toContain("quokka");
    }
    const auditEvents = (await calls.admin("GET", "/audit-events?limit=200")).text;
    expect(auditEvents).not.toContain("early.txt");
    const events = await findRunEvents(test.service.context.db, test.workspaceId);
    const ended = events.filter(({ target }) => all.includes(target));
    expect(ended.map(({ private_to }) => private_to)).toEqual(all.map(() => ids.author));
  });
});

describe("the runs API for a draft", () => {
  it("returns runs, their files and child runs to its author only", async () => {
    const created = await calls.author("POST", "/drafts", {
      definition: draft("quokka", "workspace"),
    });
    expect(created.status).toBe(201);
    const id = String(created.body.id);
    const ran = await run("author", "quokka", `draft-${id}`, `/drafts/${id}/run`);
    expect((await calls.author("GET", `/runs/${ran.runId}`)).status).toBe(200);
    await expectHidden(ran);
    const auditEvents = await calls.auditor("GET", `/audit-events?target=${id}`);
    expect(auditEvents.body).toMatchObject([{ action: "draft.create", hidden: true, details: {} }]);
  });
});

describe("the workspace usage API", () => {
  it("returns unchanged counts to others when a private tool is created and run", async () => {
    const admin = await test.addSignedIn(test.workspaceId, "admin");
    const usage = async () =>
      (await admin.call("GET", `/workspaces/${test.workspaceId}/settings`)).body.usage as object;
    const before = await usage();
    await run("author", "quokka", await makeTool("quokka", "private"));
    expect(await usage()).toEqual(before);
  });
});

describe("audit log", () => {
  it("records the event, hides its details from others, and stays valid", async () => {
    const tool = await makeTool("quokka", "private");
    await calls.author("PATCH", `/tools/${tool}`, { description: "Other quokka words." });
    const { runId } = await run("author", "quokka", tool);
    const own = await calls.author("GET", "/me");
    expect(own.status).toBe(200);
    const path = `/audit-events?limit=200&actor=${ids.author}`;
    const { body } = await calls.auditor("GET", path);
    type Event = { action: string; target: string; details: object };
    const shown = ({ target, details }: Event) => ({ target, details });
    const events = body as Event[];
    for (const action of ["tool.create", "tool.update", "run.create", "file.create"]) {
      const event = events.find((one) => one.action === action);
      expect(event).toMatchObject({
        requestId: null,
        hidden: true,
        actor: { userId: ids.author },
      });
    }
    expect((await calls.auditor("GET", `/audit-events?target=${tool}`)).body).toEqual([]);
    expect(events.filter((event) => event.action.startsWith("tool.")).map(shown)).toEqual(
      expect.arrayContaining([{ target: "", details: {} }]),
    );
    const ended = await calls.auditor("GET", `/audit-events?target=${runId}`);
    expect((ended.body as Event[]).map(shown)).toEqual([{ target: runId, details: {} }]);
    await expect
      .poll(async () => (await calls.auditor("GET", "/audit-events/verification")).body)
      .toMatchObject({ intact: true, complete: true });
  });
});

describe("private tool", () => {
  it("returns 404 to others, and never appears in their search results", async () => {
    const tool = await makeTool("quokka", "private");
    for (const who of others) {
      const paths = ["/tools?q=quokka", "/tools", "/skills/search?q=quokka+ledger"];
      for (const path of [...paths, "/tools?catalog=public&q=quokka", "/skills/search"]) {
        const { text } = await calls[who]("GET", path);
        const said = text.replace('"query":"quokka ledger"', "");
        expect(said).not.toMatch(/quokka/i);
      }
      const near = await mcp(who, "tools/call", {
        name: "service_execute_tool",
        arguments: { tool_name: tool.slice(0, -1), arguments: {} },
      });
      expect(near.replaceAll(tool.slice(0, -1), "")).not.toMatch(/quokka/i);
      expect(await mcp(who, "resources/list", {})).not.toMatch(/quokka/i);
      const missing = await calls[who]("POST", `/run/${tool}`, {});
      const nothing = "nothing_of_this_name_abcd";
      const unknown = await calls[who]("POST", `/run/${nothing}`, {});
      const sameDetail = String(unknown.body.detail).replace(nothing, tool);
      expect([missing.status, missing.body.detail]).toEqual([404, sameDetail]);
    }
    const key = { "idempotency-key": randomUUID() };
    const first = await calls.author("POST", `/run/${tool}`, { text: "quokka" }, key);
    expect(first.status).toBe(200);
    const replay = await calls.colleague("POST", `/run/${tool}`, { text: "quokka" }, key);
    expect(replay.status).toBe(404);
  });
});
