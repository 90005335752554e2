import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { resolveSearches } from "#core/catalog";
import { sweep } from "#core/workspaces";
import { newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const hourMs = 3_600_000;
let test: TestService;
let path: string;
let ledger: string;
const keys: Record<string, string> = {};

beforeAll(async () => {
  test = await startTestService();
  path = `/workspaces/${test.workspaceId}/settings`;
  for (const name of ["ada", "bob", "eve"]) {
    keys[name] = (await test.addPerson(test.workspaceId, "builder")).apiKey;
  }
  const texts = { title: "Ledger entry", description: "Writes an entry to the general ledger." };
  ledger = await test.makeTool("export default () => ({})", texts);
});
afterAll(() => test.stop());

const db = () => test.service.context.db.kysely;
const rows = () => db().selectFrom("tool_searches").selectAll().orderBy("id").execute();
const set = (learnFromSearches: boolean) => test.callAsOwner("PATCH", path, { learnFromSearches });
const as = (name: string) => ({ authorization: `Bearer ${keys[name]}` });
const search = async (name: string, query: string) => {
  const found = await test.call(
    "GET",
    `/skills/search?q=${encodeURIComponent(query)}`,
    undefined,
    as(name),
  );
  expect(found.status).toBe(200);
  return found.body.results[0].matches.map((match: { name: string }) => match.name) as string[];
};
const flush = () => test.service.context.catalog.searchLog.flush(test.service.context.db, true);
const resolve = async () => {
  const { context } = test.service;
  await flush();
  await resolveSearches(context, context.clock.now() + hourMs);
};
const run = async (name: string, tool: string) => {
  const done = await test.call("POST", `/run/${tool}`, {}, as(name));
  expect(done.body.status).toBe("completed");
};
/** Loads what was learned with the next search instead of in some minutes, and waits for it. */
const reload = async (isLearned: boolean) => {
  const { context } = test.service;
  const { learning } = await context.catalog.toolIndexes.of(context, test.workspaceId);
  learning.loadedAt = -Infinity;
  await search("eve", "reload");
  await expect.poll(() => learning.learned !== undefined).toBe(isLearned);
};

describe("a workspace that does not learn from searches", () => {
  it("stores none", async () => {
    expect((await test.callAsOwner("GET", path)).body.learnFromSearches).toBe(false);
    await search("ada", "ledger");
    await flush();
    expect(await rows()).toEqual([]);
  });
});

describe("a workspace that learns from searches", () => {
  beforeEach(async () => {
    await flush();
    await set(false);
    await set(true);
  });

  it("shows it in its settings", async () => {
    expect((await test.callAsOwner("GET", path)).body.learnFromSearches).toBe(true);
  });

  it("finds a tool by words that two people ran it for", async () => {
    expect(await search("eve", "kaching")).toEqual([]);
    for (const name of ["ada", "bob"]) {
      expect(await search(name, "ledger kaching")).toContain(ledger);
      await run(name, ledger);
    }
    await resolve();
    const stored = await rows();
    expect(stored.map(({ outcome }) => outcome).toSorted()).toEqual(["no_match", "run", "run"]);
    await reload(true);
    expect(await search("eve", "kaching")).toEqual([ledger]);
    const explained = await test.call(
      "GET",
      "/skills/search?q=kaching&explain=1",
      undefined,
      as("eve"),
    );
    expect(explained.body.results[0].matches[0].reasons).toEqual([
      { word: "kaching", matched: "kaching", through: "learned", fields: [] },
    ]);
    await set(false);
    expect(await rows()).toEqual([]);
    expect(await search("eve", "kaching")).toEqual([]);
  });

  it("stores what a search led to", async () => {
    const other = await test.makeTool("export default () => ({})", { title: "Weather" });
    await search("ada", "ledger");
    await search("bob", "ledger");
    await run("bob", other);
    await search("eve", "teleporter");
    await resolve();
    const outcomes = (await rows()).map(({ words, outcome }) => `${words} ${outcome}`);
    expect(outcomes.toSorted()).toEqual(["ledger not_run", "ledger other", "teleporter no_match"]);
  });

  it("counts the searches of a person once, and what they ran in the end", async () => {
    await search("ada", "ledger");
    await resolve();
    await search("ada", "ledger entries");
    await search("ada", "entry ledger");
    await run("ada", ledger);
    await resolve();
    const ofEntry = (await rows()).filter(({ terms }) => terms.includes(" "));
    expect(ofEntry).toMatchObject([{ outcome: "run", words: "entry ledger" }]);
  });

  it("stores the last of the queries that were searched as someone typed", async () => {
    for (const typed of ["led", "ledge", "ledger", "ledger entry"]) await search("ada", typed);
    await flush();
    expect((await rows()).map(({ words }) => words)).toEqual(["ledger entry"]);
  });

  it("lists what three people searched for without a run, to builders", async () => {
    const unmet = async () => (await test.call("GET", "/unmet-searches")).body;
    for (const name of ["ada", "bob"]) await search(name, "teleporters for cats");
    await resolve();
    expect(await unmet()).toEqual([]);
    for (let round = 0; round < 3; round += 1) await search("ada", "cat teleporter");
    await resolve();
    expect(await unmet()).toEqual([]);
    await search("eve", "teleporter cat");
    await resolve();
    const [found] = await unmet();
    expect(found).toMatchObject({ people: 3, hasMatches: false });
    expect(found.words).toMatch(/cat|teleporter/);
    const member = await test.addPerson(test.workspaceId, "member");
    const headers = { authorization: `Bearer ${member.apiKey}` };
    expect((await test.call("GET", "/unmet-searches", undefined, headers)).status).toBe(403);
    const stranger = await test.addPerson(await test.addWorkspace(), "owner");
    const strange = { authorization: `Bearer ${stranger.apiKey}` };
    expect((await test.call("GET", "/unmet-searches", undefined, strange)).body).toEqual([]);
  });

  it("does not show whether a private tool matches a search of several people", async () => {
    keys["author"] = test.apiKey;
    await test.makeTool("export default () => ({})", {
      title: "Zeppelin",
      description: "Flies.",
      visibility: "private",
    });
    for (const name of ["author", "bob", "eve"]) {
      expect(await search(name, "zeppelin")).toHaveLength(name === "author" ? 1 : 0);
    }
    await resolve();
    const unmet: { words: string; hasMatches: boolean }[] = (
      await test.call("GET", "/unmet-searches")
    ).body;
    expect(unmet.find(({ words }) => words === "zeppelin")?.hasMatches).toBe(false);
  });

  it("learns nothing about a tool that became private", async () => {
    for (const name of ["ada", "bob"]) {
      await search(name, "ledger kaching");
      await run(name, ledger);
    }
    await resolve();
    await reload(true);
    await test.call("PATCH", `/tools/${ledger}`, { visibility: "private" });
    expect(await search("eve", "kaching")).toEqual([]);
    await reload(false);
    await test.call("PATCH", `/tools/${ledger}`, { visibility: "workspace" });
  });

  it("records the change of the setting in the audit log", async () => {
    const { body } = await test.call("GET", "/audit-events?action=workspace.configure&limit=1");
    expect(body[0].details).toMatchObject({ learnFromSearches: true });
  });

  it("deletes searches of archived tools, of users who left, and old ones", async () => {
    const leaver = await test.addPerson(test.workspaceId, "member");
    const archived = await test.makeTool("export default () => ({})", { title: "Abacus" });
    const { id } = await db()
      .selectFrom("tools")
      .select("id")
      .where("name", "=", archived)
      .executeTakeFirstOrThrow();
    const [ada] = await db().selectFrom("api_keys").select("user_id").execute();
    const userId = ada?.user_id ?? "";
    const row = { workspace_id: test.workspaceId, terms: "x", words: "x", found: "[]" };
    const insert = (one: object) =>
      db()
        .insertInto("tool_searches")
        .values({ ...row, id: newId(), user_id: userId, outcome: "run", tool_id: null, ...one })
        .execute();
    await insert({ words: "stays" });
    await insert({ words: "archived", tool_id: id });
    await insert({ words: "left", user_id: leaver.userId });
    await insert({ words: "old", id: "0185b0b0-0000-7000-8000-000000000000" });
    await test.call("DELETE", `/tools/${archived}`);
    await test.callAsOwner("DELETE", `/workspaces/${test.workspaceId}/members/${leaver.userId}`);
    const { context } = test.service;
    await db().deleteFrom("task_locks").execute();
    await sweep(context, new AbortController().signal);
    expect((await rows()).map(({ words }) => words)).toEqual(["stays"]);
  });
});
