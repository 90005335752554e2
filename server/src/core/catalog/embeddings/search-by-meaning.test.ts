import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { respond, startFakeEmbeddings } from "#testing/fake-embeddings";
import type { FakeEmbeddings } from "#testing/fake-embeddings";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const code = "export default () => ({})";

let fake: FakeEmbeddings;
let test: TestService;
let weather: string;
let eve: string;
beforeAll(async () => {
  fake = await startFakeEmbeddings();
  test = await startTestService({ ...fake.settings, EMBEDDINGS_TIMEOUT_MS: "2000" });
  const rest = (title: string, description: string) => ({ title, description });
  weather = await test.makeTool(code, {
    ...rest("Weather forecast", "Tells the rain of the coming days."),
    inputSchema: { type: "object", properties: { town: { type: "string" } } },
  });
  await test.makeTool(code, rest("Convert currencies", "Converts an amount of money."));
  await test.makeTool(code, rest("Solve equation", "Finds the roots of a formula."));
  eve = (await test.addPerson(test.workspaceId, "member")).apiKey;
});
afterAll(async () => {
  await test?.stop();
  await fake?.close();
});
beforeEach(() => {
  fake.interfere = () => false;
});

type Found = { name: string; score: number }[];

async function search(query: string, key?: string): Promise<Found> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const found = await test.call(
    "GET",
    `/skills/search?q=${encodeURIComponent(query)}`,
    undefined,
    headers,
  );
  expect(found.status).toBe(200);
  return (found.body.results[0].matches as Found).map(({ name, score }) => ({ name, score }));
}

const best = async (query: string, key?: string) => (await search(query, key))[0]?.name;
const stored = () =>
  test.service.context.db.kysely
    .selectFrom("tool_embeddings")
    .select(["hash", "workspace_id", "model", "vector"])
    .orderBy("hash")
    .execute();
const sentTexts = () => fake.requests.flatMap(({ input }) => input);
async function waitForTools(): Promise<void> {
  await expect
    .poll(async () => {
      await search("anything");
      const loaded = test.service.context.catalog.toolIndexes.loaded();
      return loaded.flatMap(({ vectors }) => vectors?.wanted(1) ?? []);
    })
    .toEqual([]);
}

const rankWords = async (query: string) => {
  const { context } = test.service;
  const { ranker } = await context.catalog.toolIndexes.of(context, test.workspaceId);
  return ranker.search(query, 10);
};

describe("a search by meaning", () => {
  it("finds tools that share no word with the query, and scores them as weak matches", async () => {
    await expect.poll(() => best("walrus")).toBe(weather);
    const [found] = await search("walrus");
    expect(found?.score).toBeGreaterThan(0);
    expect(found?.score).toBeLessThanOrEqual(0.5);
    const text = "Weather forecast\nTells the rain of the coming days.\nInput: town";
    expect(sentTexts()).toContain(text);
  });

  it("says with explain=1 that a match is similar in meaning", async () => {
    await expect.poll(() => best("walrus")).toBe(weather);
    const reason = { word: "walrus", matched: "Weather forecast", through: "meaning", fields: [] };
    const found = await test.call("GET", "/skills/search?q=walrus&q=walrus+rain&explain=1");
    const [byMeaning, byBoth] = found.body.results;
    expect(byMeaning.matches[0].reasons).toEqual([reason]);
    expect(byBoth.matches[0].reasons).toContainEqual(
      expect.objectContaining({ word: "rain", through: "word" }),
    );
  });

  it("adds nothing for a query that is related to no tool", async () => {
    await waitForTools();
    const found = await search("xylophone quartet");
    expect(found.map(({ score }) => score)).toEqual(
      (await rankWords("xylophone quartet")).map(({ score }) => score),
    );
  });

  it("ranks the exact name first", async () => {
    expect((await search(weather))[0]).toEqual({ name: weather, score: 1 });
  });

  it("does not embed a text again after a restart", async () => {
    await waitForTools();
    const rows = await stored();
    expect(rows.every(({ vector }) => vector.length === fake.dimension)).toBe(true);
    await test.restart();
    fake.requests.length = 0;
    await expect.poll(() => best("walrus")).toBe(weather);
    await waitForTools();
    expect(sentTexts().some((text) => text.startsWith("Weather forecast\n"))).toBe(false);
    expect(await stored()).toEqual(rows);
  });

  it("embeds a changed text, and forgets the meaning of the former one", async () => {
    const name = await test.makeTool(code, { title: "Helper", description: "Feeds the gnomes." });
    await expect.poll(() => best("bassoon")).toBe(name);
    const saved = await test.call("PATCH", `/tools/${name}`, { description: "Tames a dragon." });
    expect(saved.status).toBe(200);
    await expect.poll(() => best("marmalade")).toBe(name);
    expect(await best("bassoon")).not.toBe(name);
    await test.call("DELETE", `/tools/${name}`);
    expect(await best("marmalade")).not.toBe(name);
  });

  it("shows private tools to their owner only, and changes no score of others", async () => {
    await waitForTools();
    const queries = ["walrus", "weather forecast", "trombone", "bassoon", "rain of the days"];
    const ask = async (key?: string) => {
      const found: Found[] = [];
      for (const query of queries) found.push(await search(query, key));
      return found;
    };
    const before = await ask(eve);
    const name = await test.makeTool(code, {
      title: "Assistant",
      description: "Counts the gnomes.",
      visibility: "private",
    });
    await expect.poll(() => best("bassoon")).toBe(name);
    await waitForTools();
    expect(await ask(eve)).toEqual(before);
    expect((await ask()).flat().map((match) => match.name)).toContain(name);
    await test.call("DELETE", `/tools/${name}`);
  });

  it("sends nothing of a workspace that no one searches", async () => {
    fake.requests.length = 0;
    await test.makeTool(code, { title: "Forgotten", description: "No one looks for it." });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(fake.requests).toEqual([]);
  });
});

it("embeds all tools again when the dimension changes", async () => {
  fake.dimension = 96;
  await expect
    .poll(async () => {
      await search(`walrus ${Math.random()}`);
      const rows = await stored();
      return rows.filter(({ vector }) => vector.length === 96).length;
    })
    .toBeGreaterThan(2);
  await expect.poll(() => best("walrus")).toBe(weather);
});

describe("a search with a provider that fails", () => {
  const failures: [string, (response: ServerResponse) => void][] = [
    ["returns errors", (response) => void response.writeHead(500).end()],
    ["never responds", () => undefined],
    ["returns nonsense", (response) => void response.end("[".repeat(1_000))],
    ["returns another dimension", (response) => respond(response, [[1, 2, 3]])],
  ];

  it.each(failures)("returns the matches of words when it %s", async (_, fail) => {
    await waitForTools();
    fake.interfere = (_request, response) => {
      fail(response);
      return true;
    };
    const name = await test.makeTool(code, { title: "Late arrival", description: "Is found." });
    const found = await search("late arrival forecast");
    expect(found.map(({ score }) => score)).toEqual(
      (await rankWords("late arrival forecast")).map(({ score }) => score),
    );
    expect(found[0]?.name).toBe(name);
    fake.interfere = () => false;
    await expect.poll(() => best("walrus")).toBe(weather);
    await test.call("DELETE", `/tools/${name}`);
  });

  // Each failure made the pause before the next attempt longer.
  afterAll(() => test.restart());
});

it.each([
  [400, "gnomes", "bassoon"],
  [500, "dragon", "marmalade"],
])(
  "leaves out tools that it answers with status %d, and embeds the others",
  async (status, concept, query) => {
    await waitForTools();
    fake.interfere = ({ input }, response) => {
      if (!input.some((text) => text.includes("indigestible"))) return false;
      response.writeHead(status).end();
      return true;
    };
    await test.makeTool(code, { title: "Bad", description: `An indigestible text ${status}.` });
    const name = await test.makeTool(code, {
      title: "Good",
      description: `Feeds the ${concept}.`,
    });
    await expect.poll(() => best(query)).toBe(name);
    await waitForTools();
    expect(await best("indigestible")).toBeDefined();
  },
);

it("sends nothing of a workspace that was deleted", async () => {
  const { db } = test.service.context;
  const change = (deleted_at: number | null) =>
    db.kysely
      .updateTable("workspaces")
      .set({ deleted_at })
      .where("id", "=", test.workspaceId)
      .execute();
  await waitForTools();
  fake.interfere = (_request, response) => {
    response.writeHead(500).end();
    return true;
  };
  const name = await test.makeTool(code, { title: "Leftover", description: "Of the past." });
  await search("leftover");
  await change(1);
  fake.requests.length = 0;
  fake.interfere = () => false;
  const { toolIndexes } = test.service.context.catalog;
  await expect
    .poll(() => toolIndexes.loaded().flatMap(({ vectors }) => vectors?.wanted(1) ?? []))
    .toEqual([]);
  expect(sentTexts().filter((text) => text.startsWith("Leftover"))).toEqual([]);
  await change(null);
  await test.call("DELETE", `/tools/${name}`);
});

it("deletes old vectors of texts that no tool has, once an index is loaded", async () => {
  const { db } = test.service.context;
  await waitForTools();
  const row = { workspace_id: test.workspaceId, model: "former", vector: Buffer.from([1, 2]) };
  await db.kysely
    .insertInto("tool_embeddings")
    .values([
      { ...row, hash: "old", created_at: 1 },
      { ...row, hash: "new", created_at: Date.now() },
    ])
    .execute();
  await test.restart();
  await expect
    .poll(async () => {
      await search("anything");
      const hashes = new Set((await stored()).map(({ hash }) => hash));
      return [hashes.has("old"), hashes.has("new")];
    })
    .toEqual([false, true]);
  await expect.poll(() => best("walrus")).toBe(weather);
});
