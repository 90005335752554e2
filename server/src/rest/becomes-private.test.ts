import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import { findRunEvents } from "#testing/run-events";
import type { TestService } from "#testing/service";

type Call = TestService["call"];

let test: TestService;
let author: Call;
let admin: Call;
let adminKey: string;
beforeAll(async () => {
  test = await startTestService();
  const as =
    (apiKey: string): Call =>
    (method, path, body, headers) =>
      test.call(method, path, body, { authorization: `Bearer ${apiKey}`, ...headers });
  author = as((await test.addPerson(test.workspaceId, "builder")).apiKey);
  adminKey = (await test.addPerson(test.workspaceId, "admin")).apiKey;
  admin = as(adminKey);
});
afterAll(() => test.stop());

const db = () => test.service.context.db.kysely;

async function make(code: string, visibility = "workspace"): Promise<string> {
  const { status, body } = await author("POST", "/tools", { ...draftOf(code), visibility });
  expect(status).toBe(201);
  return String(body.name);
}

async function start(tool: string, text: string): Promise<string> {
  const { body } = await author("POST", `/run/${tool}`, { text }, { prefer: "respond-async" });
  return String(body.runId);
}

const setVisibility = async (tool: string, visibility: string) =>
  expect((await author("PATCH", `/tools/${tool}`, { visibility })).status).toBe(200);

const stateOf = async (runId: string) =>
  db()
    .selectFrom("runs")
    .select(["status", "is_private"])
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();

/** Code that signals its start, waits, and then logs, saves a file and runs another tool. */
const slow = (child: string) => `export default async (input, ctx) => {
  ctx.progress(0.1, "started");
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  ctx.progress(0.9, "progress " + input.text);
  console.log("log " + input.text);
  const file = await ctx.files.save({ name: input.text + ".txt", mimeType: "text/plain", body: input.text });
  const child = await ctx.tools.run("${child}", { text: "child " + input.text });
  return { text: "output " + input.text, file: file.fileId, child };
};`;

/** Waits until the code of a run has started. */
const untilStarted = async (runId: string) => {
  await expect
    .poll(async () => (await author("GET", `/runs/${runId}`)).body.progress?.message, {
      timeout: 20_000,
    })
    .toBe("started");
};

const untilEnded = async (runId: string) => {
  await expect
    .poll(async () => (await author("GET", `/runs/${runId}`)).body.status, { timeout: 40_000 })
    .toBe("completed");
};

describe("tool that becomes private while it runs", { timeout: 90_000 }, () => {
  it("limits the run, its log, files and children to the user who ran it, even when shared again", async () => {
    const child = await make("export default (input) => ({ received: input.text });");
    const tool = await make(slow(child));
    const runId = await start(tool, "numbat");
    await untilStarted(runId);
    await setVisibility(tool, "private");
    expect(await stateOf(runId)).toEqual({ status: "running", is_private: 1 });
    await untilEnded(runId);
    const expectHidden = async () => {
      expect((await admin("GET", "/runs?limit=100")).text).not.toContain("numbat");
      const auditEvents = await admin("GET", "/audit-events?limit=200");
      expect(auditEvents.text).not.toContain("numbat");
      for (const path of [`/runs/${runId}`, `/runs/${runId}/logs`]) {
        expect((await admin("GET", path)).status).toBe(404);
      }
    };
    await expectHidden();
    await setVisibility(tool, "workspace");
    await expectHidden();
    const own = await author("GET", `/runs/${runId}`);
    expect(own.body.output).toMatchObject({
      text: "output numbat",
      child: { received: "child numbat" },
    });
    const { body: children } = await author("GET", `/runs?parentRunId=${runId}`);
    const ids = [runId, String(children[0].runId), String(own.body.output.file)];
    for (const id of ids) expect((await admin("GET", `/files/${id}`)).status).toBe(404);
    const ofFiles = await db()
      .selectFrom("audit_events")
      .select(["private_to", "user_id"])
      .where("target", "in", ids)
      .execute();
    const ofRuns = await findRunEvents(test.service.context.db, test.workspaceId);
    const events = [...ofFiles, ...ofRuns.filter(({ target }) => ids.includes(target))];
    expect(events).toHaveLength(3);
    for (const event of events) expect(event.private_to).toBe(event.user_id);
  });

  it("does not reveal earlier runs by the pages of a search in the audit log", async () => {
    const { body } = await author("POST", "/tools", {
      ...draftOf("export default (input) => input;"),
      title: "Thylacine census",
      visibility: "workspace",
    });
    const tool = String(body.name);
    for (const text of ["a", "b", "c"]) await author("POST", `/run/${tool}`, { text });
    const search = (q: string) => admin("GET", `/audit-events?limit=1&q=${q}`);
    const shared = await search("thylacine");
    expect(shared.body).toHaveLength(1);
    expect(shared.headers.get("link")).not.toBeNull();
    await setVisibility(tool, "private");
    const expectNothing = async () => {
      for (const q of ["thylacine", "nothing_like_it"]) {
        const found = await search(q);
        expect(found.body).toEqual([]);
        expect(found.headers.get("link")).toBeNull();
      }
    };
    await expectNothing();
    const isSealed = async () =>
      (await findRunEvents(test.service.context.db, test.workspaceId)).every(
        ({ sequence }) => sequence !== null,
      );
    await expect.poll(isSealed, { timeout: 20_000 }).toBe(true);
    await expectNothing();
  });

  it("hides child runs in progress at that time, at any depth", async () => {
    const lowest = await make(slow(await make("export default () => ({});")));
    const middle = await make(
      `export default (input, ctx) => ctx.tools.run("${lowest}", { text: input.text });`,
    );
    const tool = await make(
      `export default (input, ctx) => ctx.tools.run("${middle}", { text: input.text });`,
    );
    const runId = await start(tool, "bilby");
    const childOf = async (id: string) => {
      const seen = await admin("GET", `/runs?parentRunId=${id}`);
      return seen.body[0] === undefined ? undefined : String(seen.body[0].runId);
    };
    let [below, lowestId]: (string | undefined)[] = [];
    await expect
      .poll(
        async () => {
          below = await childOf(runId);
          lowestId = below === undefined ? undefined : await childOf(below);
          return lowestId;
        },
        { timeout: 30_000 },
      )
      .toBeTypeOf("string");
    await setVisibility(tool, "private");
    for (const id of [runId, String(below), String(lowestId)]) {
      expect(await stateOf(id)).toEqual({ status: "running", is_private: 1 });
      expect((await admin("GET", `/runs/${id}`)).status).toBe(404);
    }
    await author("POST", `/runs/${runId}/cancel`);
  });

  it("stops streaming to other users who follow it live", async () => {
    const tool = await make(slow(await make("export default () => ({});")));
    const runId = await start(tool, "wallaby");
    await untilStarted(runId);
    const headers = { authorization: `Bearer ${adminKey}` };
    const log = await fetch(`${test.baseUrl}/api/v1/runs/${runId}/logs`, {
      headers: { ...headers, accept: "text/event-stream" },
    });
    const check = await fetch(`${test.baseUrl}/api/mcp`, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "service_check_run",
          arguments: { run_id: runId, wait_seconds: 30 },
          _meta: { progressToken: "told" },
        },
      }),
    });
    await setVisibility(tool, "private");
    await untilEnded(runId);
    const [seen, checked] = await Promise.all([log.text(), check.text()]);
    expect(seen).toContain("started");
    expect(checked).toContain("started");
    expect(seen).not.toContain("wallaby");
    expect(checked).not.toContain("wallaby");
  });

  it("hides the parent run, which contains its output", async () => {
    const tool = await make(slow(await make("export default () => ({});")));
    const outer = await make(
      `export default async (input, ctx) => {
        ctx.progress(0, "started");
        const answer = await ctx.tools.run("${tool}", { text: input.text });
        console.log("received " + answer.text);
        return answer;
      };`,
    );
    const runId = await start(outer, "bettong");
    await expect
      .poll(async () => (await author("GET", `/runs?parentRunId=${runId}`)).body[0]?.progress, {
        timeout: 30_000,
      })
      .toMatchObject({ message: "started" });
    await setVisibility(tool, "private");
    expect(await stateOf(runId)).toEqual({ status: "running", is_private: 1 });
    await untilEnded(runId);
    expect((await admin("GET", `/runs/${runId}`)).status).toBe(404);
    expect((await admin("GET", `/runs/${runId}/logs`)).status).toBe(404);
    expect((await admin("GET", "/runs?limit=100")).text).not.toContain("bettong");
  });

  it("hides runs that start at the same time", async () => {
    const tool = await make(
      "export default () => new Promise((resolve) => setTimeout(resolve, 20_000));",
    );
    for (let round = 0; round < 4; round++) {
      await setVisibility(tool, "workspace");
      const started = Array.from({ length: 6 }, () => start(tool, "potoroo"));
      await setVisibility(tool, "private");
      const ids = await Promise.all(started);
      const states = await Promise.all(ids.map(stateOf));
      expect(states).toEqual(ids.map(() => ({ status: "running", is_private: 1 })));
      await Promise.all(ids.map((id) => author("POST", `/runs/${id}/cancel`)));
    }
  });
});
