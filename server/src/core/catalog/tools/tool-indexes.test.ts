import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { createToolIndexes } from "./tool-indexes.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const count = 25;
const saveTools = async (title: string) => {
  for (let index = 0; index < count; index += 1) {
    await test.makeTool("export default () => ({})", { title: `${title} ${index}` });
  }
};

it(
  "reads each tool once for concurrent searches, one per turn of the event loop",
  { tags: ["nightly"] },
  async () => {
    await saveTools("Forecast");
    const indexes = createToolIndexes({ embeddings: undefined });
    const { context } = test.service;
    let turns = 0;
    let isOver = false;
    const countTurn = () => {
      turns += 1;
      if (!isOver) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    const found = await Promise.all(
      Array.from({ length: 8 }, () => indexes.of(context, test.workspaceId)),
    );
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(count);
    expect(new Set(found).size).toBe(1);
    const size = found[0]?.ranker.size() ?? 0;
    expect(size).toBeGreaterThanOrEqual(count);
    const name = await test.makeTool("export default () => ({})", { title: "Newest" });
    const { ranker } = await indexes.of(context, test.workspaceId);
    expect(ranker.size()).toBe(size + 1);
    expect(ranker.search(name, 1)[0]?.score).toBe(1);
  },
);

it("reads changes once for searches that wait for the same update", async () => {
  const { context } = test.service;
  let statements = 0;
  const query: typeof context.db.query = (statement, values) => {
    statements += 1;
    return context.db.query(statement, values);
  };
  const db = { ...context.db, query };
  const indexes = createToolIndexes({ embeddings: undefined });
  await indexes.of({ db }, test.workspaceId);
  statements = 0;
  const early = indexes.of({ db }, test.workspaceId);
  await expect.poll(() => statements).toBe(1);
  const name = await test.makeTool("export default () => ({})", { title: "Meanwhile" });
  const later = Array.from({ length: 500 }, () => indexes.of({ db }, test.workspaceId));
  const [first] = await Promise.all([...later, early]);
  expect(first?.ranker.search(name, 1)[0]?.score).toBe(1);
  expect(statements).toBeLessThanOrEqual(4);
});

it("evicts the least recently used index when all together are too large", async () => {
  const indexes = createToolIndexes({ maxTerms: 1, embeddings: undefined });
  const { context } = test.service;
  const other = await test.addWorkspace();
  const first = await indexes.of(context, test.workspaceId);
  expect(await indexes.of(context, test.workspaceId)).toBe(first);
  await indexes.of(context, other);
  const again = await indexes.of(context, test.workspaceId);
  expect(again).not.toBe(first);
  expect(again.ranker.size()).toBe(first.ranker.size());
});
