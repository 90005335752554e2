import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTasks, readTools } from "./eval/agents/catalog.ts";
import { connect, countTokens } from "./eval/agents/counting-client.ts";
import type { CountingClient } from "./eval/agents/counting-client.ts";
import { evaluate, summarize } from "./eval/agents/evaluate.ts";
import { prepareTools } from "./eval/agents/prepare.ts";
import { scriptedAgent } from "./eval/agents/scripted-agent.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const maxSearchTokens = 2_000;

let server: Server;
let client: CountingClient;
beforeAll(async () => {
  server = await startServer();
  client = await connect(`${server.baseUrl}/api/mcp`, server.apiKey);
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

const search = async (queries: string[]) => {
  const { text } = await client.call("service_search_tools", { queries });
  return { tokens: countTokens(text), found: JSON.parse(text) };
};

describe("the broker surface", () => {
  test("takes at most 900 tokens with descriptions and input schemas", () => {
    expect(client.surface.tools).toHaveLength(6);
    expect(countTokens(client.surface.tools)).toBeLessThanOrEqual(900);
  });

  test("returns few tokens for a clear match, an open question and a list of starter tools", async () => {
    expect((await search(["convert celsius to fahrenheit"])).tokens).toBeLessThanOrEqual(500);
    expect((await search(["something with text"])).tokens).toBeLessThanOrEqual(1_200);
    const three = ["length of text", "count words in text", "how many sentences"];
    expect((await search(three)).tokens).toBeLessThanOrEqual(maxSearchTokens);
    expect((await search([])).tokens).toBeLessThanOrEqual(maxSearchTokens);
  });

  test(
    "returns at most 2,000 tokens for a search of tools with long texts in any script",
    { tags: ["nightly"] },
    async () => {
      const texts = [
        "会議の議事録から決定事項を抜き出して要約します。",
        "Преобразует документы отчета в другой формат и сохраняет результат.",
        'Reads a quarterly report, e.g. {"a":[[1,2],[3,4]]} or kQx9ZzPw3LmTqvR7yHbN. ',
      ];
      for (const [index, text] of [...texts, ...texts, ...texts, ...texts].entries()) {
        const fields = Array.from({ length: index % 2 === 0 ? 8 : 150 }, (_, id) => [
          `field_${id}`,
          { type: "string", description: text.repeat(4) },
        ]);
        await server.makeTool("export default () => ({})", {
          title: `Report reader ${index}`,
          description: text.repeat(40),
          inputSchema: { type: "object", properties: Object.fromEntries(fields) },
        });
      }
      const queries = Array.from(
        { length: 10 },
        (_, id) => `report reader ${id} ${texts[0]?.repeat(9)}`,
      );
      for (const asked of [[], ["report reader"], queries, queries.slice(0, 3)]) {
        const { tokens, found } = await search(asked);
        expect([asked.length, tokens <= maxSearchTokens, tokens]).toEqual([
          asked.length,
          true,
          tokens,
        ]);
        const [first] = found.results;
        expect(first.matches.length + (first.more?.length ?? 0)).toBeGreaterThan(0);
      }
      const names = new Set<string>();
      let cursor: string | undefined;
      do {
        const page = await client.call("service_search_tools", { cursor });
        expect(countTokens(page.text)).toBeLessThanOrEqual(maxSearchTokens);
        const { results, nextCursor } = JSON.parse(page.text);
        for (const { name } of results[0].matches) names.add(name);
        cursor = nextCursor;
      } while (cursor !== undefined);
      const { body } = await server.call("GET", "/tools?limit=200");
      expect(names.size).toBe(body.length);
    },
  );
});

test("returns at most 2,000 tokens for tools whose texts are made to cost tokens", async () => {
  const spaces = "\u00a0\u2003".repeat(3_000);
  const signs = "𒀀𒁀𒂀".repeat(40);
  const files = Array.from({ length: 50 }, (_, at) => `${at}${signs.slice(0, 190)}`);
  const schemas: Record<string, Record<string, object>> = {
    spaces: { padded: { description: spaces } },
    signs: Object.fromEntries(files.slice(0, 8).map((name) => [name, { type: "string" }])),
    files: Object.fromEntries(files.map((name) => [name, { type: "string" }])),
  };
  for (const [kind, properties] of Object.entries(schemas)) {
    for (let index = 0; index < 4; index += 1) {
      await server.makeTool("export default () => ({})", {
        title: `Costly helper ${kind} ${index}`,
        description: kind === "spaces" ? `Helps.${spaces.slice(0, 3_000)}.` : signs,
        inputSchema: { type: "object", properties },
        fileFields: kind === "files" ? files : [],
      });
    }
    const queries = Array.from({ length: 10 }, (_, at) => `costly helper ${kind} ${at % 4}`);
    for (const asked of [[], queries, queries.slice(0, 1)])
      expect([kind, asked.length, (await search(asked)).tokens <= maxSearchTokens]).toEqual([
        kind,
        asked.length,
        true,
      ]);
  }
});

test(
  "solves tasks of a script over MCP: search, pick, run, read",
  { tags: ["nightly"] },
  async () => {
    const tools = readTools().slice(0, 40);
    const keys = new Set(tools.map(({ key }) => key));
    const tasks = readTasks(60).filter(({ fitting }) => fitting.every((key) => keys.has(key)));
    const byName = await prepareTools(server, tools);
    const figures = summarize(
      await evaluate({ client, agent: scriptedAgent, tasks, tools: byName }),
    );
    expect(figures.tasks).toBeGreaterThanOrEqual(15);
    expect(figures.rightAnswers / figures.tasks).toBeGreaterThanOrEqual(0.85);
    expect(figures.callsPerTask).toBeLessThan(3);
    expect(figures.tokensPerTask).toBeLessThan(700);
  },
);
