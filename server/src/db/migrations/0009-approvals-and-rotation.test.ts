import { sql } from "kysely";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { up } from "./0009-approvals-and-rotation.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const needing = {
  allowedHosts: ["a.com"],
  credentials: [{ name: "KEY", hosts: ["a.com"] }, { name: "OPEN" }],
};

it("approves the live versions as they stand, for the workspace and for whoever keeps their credentials", async () => {
  const { kysely } = test.service.context.db;
  const tool = await test.makeTool("export default () => ({});", needing);
  const bare = await test.makeTool("export default () => ({});");
  const path = `/tools/${tool}/approvals`;
  await test.call("POST", "/credentials", { name: "KEY", value: "12345678", hosts: ["a.com"] });
  for (const statement of [
    sql`drop table tool_approvals`,
    sql`alter table runs drop column credentials`,
    sql`alter table runs drop column sealed_input`,
    sql`alter table nodes drop column key_ids`,
  ]) {
    await statement.execute(kysely);
  }
  await up(kysely as unknown as Kysely<unknown>);
  const { body } = await test.call("GET", path);
  expect(body.approvals).toMatchObject([
    { owner: "user", covered: true, version: 1, how: "upgrade" },
    { owner: "workspace", covered: true, version: 1, how: "upgrade" },
  ]);
  expect(body.requested).toEqual(body.approvals[0].approved);
  const { apiKey } = await test.addPerson(test.workspaceId, "member");
  const other = await test.call("GET", path, undefined, { authorization: `Bearer ${apiKey}` });
  expect(other.body.approvals[0]).toMatchObject({ owner: "user", covered: false, how: null });
  expect((await test.call("GET", `/tools/${bare}/approvals`)).body.approvals[0].approved).toBe(
    null,
  );
});
