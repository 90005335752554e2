import { sql } from "kysely";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { up } from "./0020-consent.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const needing = {
  allowedHosts: ["a.com"],
  credentials: [{ name: "KEY", hosts: ["a.com"], expose: true }],
};

it("withdraws what runs approved, keeps other approvals, and exposes nothing", async () => {
  const { kysely } = test.service.context.db;
  const saved = await test.makeTool("export default () => ({});", needing);
  const ran = await test.makeTool("export default () => ({});", needing);
  await test.call("POST", "/credentials", {
    name: "KEY",
    value: "12345678",
    hosts: ["a.com"],
    exposable: true,
  });
  expect((await test.call("POST", `/run/${ran}`, {})).body.status).toBe("completed");
  const { id } = await kysely
    .selectFrom("tools")
    .select("id")
    .where("name", "=", ran)
    .executeTakeFirstOrThrow();
  await kysely
    .updateTable("tool_approvals")
    .set({ how: "run" })
    .where("tool_id", "=", id)
    .execute();
  await sql`drop index chat_questions_look_at`.execute(kysely);
  for (const [table, column] of [
    ["credentials", "exposable"],
    ["connection_attempts", "approves"],
    ["tool_versions", "vouched"],
    ["drafts", "saved_with_right"],
    ["drafts", "approved_needs"],
    ["draft_versions", "saved_with_right"],
    ["chat_questions", "look_at"],
  ] as const) {
    await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(kysely);
  }
  await up(kysely as unknown as Kysely<unknown>);
  const approvalsOf = async (tool: string) =>
    (await test.call("GET", `/tools/${tool}/approvals`)).body.approvals;
  expect(await approvalsOf(saved)).toMatchObject([
    { covered: true, how: "save" },
    { covered: true, how: "save" },
  ]);
  expect(await approvalsOf(ran)).toMatchObject([
    { covered: false, how: "withdrawn" },
    { covered: false, how: "withdrawn" },
  ]);
  expect((await test.call("GET", "/credentials")).body).toMatchObject([{ exposable: false }]);
  const refused = await test.call("POST", `/run/${saved}`, {});
  expect(refused.body.missing).toMatchObject([{ name: "KEY", reason: "not_exposable" }]);
});
