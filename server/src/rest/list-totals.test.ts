import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let tool: string;
let runIds: string[];
beforeAll(async () => {
  test = await startTestService();
  tool = await test.makeTool(
    "export default ({ fail }) => { if (fail) throw new Error('x'); return {}; };",
  );
  runIds = [];
  for (let count = 0; count < 5; count += 1) {
    runIds.push(
      String((await test.call("POST", `/run/${tool}`, { fail: count === 2 })).body.runId),
    );
  }
});
afterAll(() => test.stop());

/** All pages of two items, by following the links. */
async function pagesOf(path: string): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = [];
  let next: string | undefined = `${path}&limit=2`;
  while (next !== undefined) {
    const { body, headers, status } = await test.call("GET", next);
    expect(status).toBe(200);
    pages.push(body);
    const link: string | undefined = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
    next = link === undefined ? undefined : link.slice(link.indexOf("/api/v1") + "/api/v1".length);
  }
  return pages;
}

const totalOf = async (path: string) => {
  const { headers } = await test.call("GET", path);
  return [headers.get("x-total-count"), headers.get("x-total-count-relation")];
};

describe("GET /runs", () => {
  it("sorts by time in both directions, across pages and with filters", async () => {
    const idsOf = async (path: string) =>
      (await pagesOf(path)).map((page) => page.map((run) => run["runId"]));
    const [a, b, c, d, e] = runIds;
    expect(await idsOf("/runs?sort=oldest")).toEqual([[a, b], [c, d], [e]]);
    expect(await idsOf("/runs?sort=newest")).toEqual([[e, d], [c, b], [a]]);
    expect(await idsOf(`/runs?sort=oldest&toolName=${tool}`)).toEqual([[a, b], [c, d], [e]]);
    // Filters without an index.
    expect(await idsOf("/runs?sort=oldest&via=rest")).toEqual([[a, b], [c, d], [e]]);
    expect(await idsOf("/runs?sort=oldest&status=failed")).toEqual([[c]]);
    expect(await idsOf(`/runs?sort=oldest&q=${c}`)).toEqual([[c]]);
  });

  it("returns the number of matching runs if it is requested", async () => {
    expect(await totalOf("/runs?limit=1")).toEqual([null, null]);
    expect(await totalOf("/runs?limit=1&total=false")).toEqual([null, null]);
    expect(await totalOf("/runs?limit=1&total=true")).toEqual(["5", "eq"]);
    expect(await totalOf("/runs?total=true&status=failed")).toEqual(["1", "eq"]);
    expect(await totalOf("/runs?total=true&via=mcp")).toEqual(["0", "eq"]);
    expect(await totalOf("/runs?total=true&host=api.example.com")).toEqual(["0", "eq"]);
  });

  it("returns 400 for an unknown order", async () => {
    const { status, body } = await test.call("GET", "/runs?sort=duration");
    expect([status, body.code]).toEqual([400, "invalid_request"]);
  });
});

describe("GET /audit-events", () => {
  it("sorts by time in both directions, across pages and with filters", async () => {
    const list = `/audit-events?action=run.create&target=`;
    for (const path of ["/audit-events?action=run.create", `/audit-events?q=${tool}`]) {
      const oldest = (await pagesOf(`${path}&sort=oldest`)).flat().map(({ id }) => id);
      const newest = (await pagesOf(`${path}&sort=newest`)).flat().map(({ id }) => id);
      expect(oldest).toEqual(newest.toReversed());
    }
    const events = (await pagesOf("/audit-events?action=run.create&sort=oldest")).flat();
    expect(events.map(({ target }) => target)).toEqual(runIds);
    const { body } = await test.call("GET", `/tools/${tool}`);
    expect(new Set(events.map(({ toolTitle }) => toolTitle))).toEqual(new Set([body.title]));
    expect((await pagesOf(`${list}${runIds[1]}&sort=oldest`)).flat()).toHaveLength(1);
  });

  it("returns the number of events, except of those with a text or a target", async () => {
    expect(await totalOf("/audit-events?action=run.create&total=true")).toEqual(["5", "eq"]);
    expect(await totalOf("/audit-events?action=run.create")).toEqual([null, null]);
    expect(await totalOf("/audit-events?q=zebra&total=true")).toEqual([null, null]);
    expect(await totalOf(`/audit-events?target=${tool}&total=true`)).toEqual([null, null]);
  });

  it("returns 400 for an unknown order", async () => {
    expect((await test.call("GET", "/audit-events?sort=actor")).status).toBe(400);
  });
});
