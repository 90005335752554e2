import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

type Listed = { runId: string; title: string | null };

const listed = async (query: string, who: Pick<TestService, "call"> = test) => {
  const { status, body } = await who.call("GET", `/runs?${query}`);
  expect(status).toBe(200);
  return (body as unknown as Listed[]).map(({ runId, title }) => ({ runId, title }));
};
const found = (q: string, who?: Pick<TestService, "call">) =>
  listed(`q=${encodeURIComponent(q)}`, who);
const run = async (path: string, who: Pick<TestService, "call"> = test) =>
  String((await who.call("POST", path, {})).body.runId);
const code = "export default () => ({});";

describe("GET /runs", () => {
  it("finds runs by the title of their tool today", async () => {
    const name = await test.makeTool(code, { title: "Quarterly invoices" });
    const runId = await run(`/run/${name}`);
    expect(await found("quarterly INV")).toEqual([{ runId, title: "Quarterly invoices" }]);
    await test.call("PATCH", `/tools/${name}`, { title: "100% of bills" });
    expect(await found("quarterly inv")).toEqual([]);
    expect(await found("100% of")).toEqual([{ runId, title: "100% of bills" }]);
    expect(await found("%")).toEqual([{ runId, title: "100% of bills" }]);
    await test.call("DELETE", `/tools/${name}`);
    expect(await found("of bills")).toEqual([{ runId, title: "100% of bills" }]);
  });

  it("shows runs of drafts with the title of the draft, and then of the published tool", async () => {
    const definition = { ...draftOf(code), title: "New tool" };
    const { body: draft } = await test.call("POST", "/drafts", { definition });
    const path = `/drafts/${draft.id}`;
    const runId = await run(`${path}/run`);
    expect(await listed(`draftId=${draft.id}`)).toEqual([{ runId, title: "New tool" }]);
    const renamed = { ...definition, title: "Walrus counter" };
    await test.call("PUT", path, { revision: 1, definition: renamed });
    expect(await found("walrus")).toEqual([{ runId, title: "Walrus counter" }]);
    const published = await test.call("POST", `${path}/publish`, { revision: 2 });
    expect(published.status).toBe(201);
    expect(await found("walrus")).toEqual([{ runId, title: "Walrus counter" }]);
    await test.call("PATCH", `/tools/${published.body.name}`, { title: "Seal counter" });
    expect(await listed(`draftId=${draft.id}`)).toEqual([{ runId, title: "Seal counter" }]);
  });

  it("shows the installed version's title of other workspaces' tools", async () => {
    const other = await test.addSignedIn(await test.addWorkspace(), "owner");
    const name = await test.makeTool(code, { title: "Public otter", visibility: "public" });
    const installed = await other.call("POST", `/tools/${name}/install`, { version: 1 });
    expect(installed.status).toBe(200);
    const runId = await run(`/run/${name}`, other);
    await test.call("PATCH", `/tools/${name}`, { title: "Changed beaver" });
    expect(await found("otter", other)).toEqual([{ runId, title: "Public otter" }]);
    expect(await found("beaver", other)).toEqual([]);
  });

  it("reveals no title of a tool that became private", async () => {
    const builder = await test.addSignedIn(test.workspaceId, "builder");
    const { body: tool } = await builder.call("POST", "/tools", {
      ...draftOf(code),
      title: "Open heron",
    });
    const runId = await run(`/run/${tool.name}`);
    await builder.call("PATCH", `/tools/${tool.name}`, {
      visibility: "private",
      title: "Secret heron",
    });
    expect(await found("secret")).toEqual([]);
    const all = await listed(`toolName=${tool.name}`);
    expect(all.filter((one) => one.runId === runId).map(({ title }) => title)).toEqual([null]);
  });
});
