import { sql } from "kysely";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { up } from "./0021-pinned-installs.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

it("pins what is installed to the version that is live at the migration", async () => {
  const { kysely } = test.service.context.db;
  const id = await test.addWorkspace();
  const { userId, apiKey } = await test.addPerson(id, "builder");
  const headers = { authorization: `Bearer ${apiKey}` };
  const tool = await test.makeTool("export default () => ({});", { visibility: "public" });
  await test.call("POST", `/tools/${tool}/install`, undefined, headers);
  await test.call("PATCH", `/tools/${tool}`, { title: "Second" });
  for (const statement of [
    sql`drop table tool_installs`,
    sql`drop index workspaces_auto_accept`,
    sql`alter table workspaces drop column auto_accept_updates`,
    sql`alter table workspaces drop column installs_revision`,
    sql`create table tool_installs (workspace_id text not null, tool_id text not null,
      installed_by text not null, created_at bigint not null,
      constraint tool_installs_key primary key (workspace_id, tool_id))`,
    sql`create index tool_installs_tool on tool_installs (tool_id)`,
    sql`insert into tool_installs select ${id}, id, ${userId}, 5 from tools where name = ${tool}`,
  ]) {
    await statement.execute(kysely);
  }
  await up(kysely as unknown as Kysely<unknown>);
  await test.call("PATCH", `/tools/${tool}`, { title: "Third" });
  const { body } = await test.call("GET", `/tools/${tool}/install`, undefined, headers);
  expect(body).toMatchObject({
    version: 2,
    acceptedBy: userId,
    acceptedAt: "1970-01-01T00:00:00.005Z",
    update: { version: 3 },
  });
  expect((await test.call("GET", `/tools/${tool}`, undefined, headers)).body.title).toBe("Second");
});
