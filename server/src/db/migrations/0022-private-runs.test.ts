import { sql } from "kysely";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { up } from "./0022-private-runs.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

it("marks what drafts and private tools did, with the runs that they asked for", async () => {
  const { kysely } = test.service.context.db;
  const { apiKey } = await test.addPerson(test.workspaceId, "admin");
  const headers = { authorization: `Bearer ${apiKey}` };
  const shared = await test.makeTool("export default () => ({});");
  const asking = `export default (_, ctx) => ctx.tools.run("${shared}", {});`;
  const hidden = await test.makeTool(asking, { visibility: "private" });
  const draft = await test.call("POST", "/drafts", { definition: draftOf(asking) });
  const start = async (path: string) => String((await test.call("POST", path, {})).body.runId);
  const ran = await start(`/run/${hidden}`);
  const tried = await start(`/drafts/${draft.body.id}/run`);
  const open = await start(`/run/${shared}`);
  for (const statement of [
    sql`drop index tools_private`,
    sql`alter table runs drop column is_private`,
    sql`alter table files drop column audience`,
    sql`alter table audit_events drop column private_to`,
  ]) {
    await statement.execute(kysely);
  }
  await up(kysely as unknown as Kysely<unknown>);
  const list = await test.call("GET", "/runs?limit=200", undefined, headers);
  expect((list.body as { runId: string }[]).map(({ runId }) => runId)).toEqual([open]);
  expect((await test.call("GET", "/runs?limit=200")).body).toHaveLength(5);
  await test.call("PATCH", `/tools/${hidden}`, { visibility: "workspace" });
  for (const runId of [ran, tried]) {
    expect((await test.call("GET", `/runs/${runId}`, undefined, headers)).status).toBe(404);
    const trail = await test.call("GET", `/audit-events?target=${runId}`, undefined, headers);
    expect(trail.body).toMatchObject([{ action: "run.create", hidden: true }]);
  }
  const made = await test.call("GET", `/audit-events?target=${hidden}`, undefined, headers);
  expect(made.body).toMatchObject([{ action: "tool.update" }]);
});
