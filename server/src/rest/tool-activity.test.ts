import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const run = async (toolName: string) =>
  (await test.api("POST /run/{toolName}", { params: { toolName }, body: {} })).runId;

describe("GET /tool-activity", () => {
  it("returns the latest eight runs of each tool that the caller can see", async () => {
    const often = await test.makeTool("export default () => ({});");
    const failing = await test.makeTool("export default () => { throw new Error('no'); };");
    const secret = await test.makeTool("export default () => ({});", { visibility: "private" });
    await test.makeTool("export default () => ({});");
    const first = await run(failing);
    const runIds: string[] = [];
    for (let count = 0; count < 9; count++) runIds.push(await run(often));
    await run(secret);
    const all = await test.api("GET /tool-activity");
    expect(all.map(({ toolName }) => toolName)).toEqual([secret, often, failing]);
    expect(all[1]?.runs.map(({ runId }) => runId)).toEqual(runIds.slice(1).toReversed());
    expect(all[2]?.runs).toEqual([
      {
        runId: first,
        status: "failed",
        startedAt: expect.any(String) as string,
        durationMs: expect.any(Number) as number,
      },
    ]);
    const query = { toolName: [failing, "none_abcd"] };
    expect(await test.api("GET /tool-activity", { query })).toEqual([all[2]]);
    const { apiKey } = await test.addPerson(test.workspaceId, "viewer");
    const headers = { authorization: `Bearer ${apiKey}` };
    expect(await test.api("GET /tool-activity", { headers })).toEqual([all[1], all[2]]);
    const hidden = await test.api("GET /tool-activity", { query: { toolName: secret }, headers });
    expect(hidden).toEqual([]);
    const stranger = await test.addPerson(await test.addWorkspace(), "owner");
    const elsewhere = { authorization: `Bearer ${stranger.apiKey}` };
    expect(await test.api("GET /tool-activity", { headers: elsewhere })).toEqual([]);
    const many = Array.from({ length: 51 }, () => `toolName=${often}`).join("&");
    expect((await test.call("GET", `/tool-activity?${many}`)).status).toBe(400);
  });

  it("excludes runs of drafts", async () => {
    const name = await test.makeTool("export default () => ({});");
    const definition = draftOf("export default () => ({});");
    const { id } = await test.api("POST /drafts", { body: { toolName: name, definition } });
    await test.api("POST /drafts/{id}/run", { params: { id }, body: {} });
    expect(await test.api("GET /tool-activity", { query: { toolName: name } })).toEqual([]);
  });
});

describe("GET /runs", () => {
  it("filters runs by user, interface, time and text", async () => {
    const name = await test.makeTool("export default () => ({});", { title: "Find me 100%" });
    const { apiKey, userId } = await test.addPerson(test.workspaceId, "member");
    const headers = { authorization: `Bearer ${apiKey}` };
    const theirs = String((await test.call("POST", `/run/${name}`, {}, headers)).body.runId);
    const mine = await run(name);
    // The service's clock may differ from ours. Runs are filtered by the time in their IDs, which a busy machine may create
    // some milliseconds before `createdAt`.
    const createdAt = async (runId: string) =>
      Date.parse((await test.api("GET /runs/{runId}", { params: { runId } })).createdAt);
    const before = new Date((await createdAt(theirs)) - 1_000).toISOString();
    const after = new Date((await createdAt(mine)) + 1_000).toISOString();
    const idsOf = async (query: string, as: Record<string, string> = {}) => {
      const { body } = await test.call("GET", `/runs?${query}`, undefined, as);
      return body.map(({ runId }: { runId: string }) => runId) as string[];
    };
    expect(await idsOf(`userId=${userId}`)).toEqual([theirs]);
    expect(await idsOf("userId=me", headers)).toEqual([theirs]);
    expect(await idsOf(`toolName=${name}&userId=me`)).toEqual([mine]);
    expect(await idsOf(`toolName=${name}&via=rest`)).toEqual([mine, theirs]);
    expect(await idsOf(`toolName=${name}&via=mcp`)).toEqual([]);
    expect(await idsOf("q=FIND_me")).toEqual([mine, theirs]);
    expect(await idsOf("q=find%25me")).toEqual([]);
    expect(await idsOf(`q=${mine}`)).toEqual([mine]);
    expect(await idsOf(`q=${mine.slice(0, 23)}&userId=me`)).toContain(mine);
    expect(await idsOf(`toolName=${name}&since=${before}&until=${after}`)).toEqual([mine, theirs]);
    expect(await idsOf(`toolName=${name}&until=${before}`)).toEqual([]);
    expect(await idsOf(`since=${after}`)).toEqual([]);
    expect(await idsOf(`toolName=${name}&status=completed&draft=false`)).toEqual([mine, theirs]);
    expect(await idsOf(`userId=${userId}&status=failed`)).toEqual([]);
    const first = await test.call("GET", `/runs?toolName=${name}&via=rest&limit=1`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await test.call("GET", next.slice(`${test.baseUrl}/api/v1`.length));
    expect(second.body).toMatchObject([{ runId: theirs, userId, draft: false, draftId: null }]);
    expect(second.headers.get("link")).toBeNull();
  });
});
