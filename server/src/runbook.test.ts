import { readFile } from "node:fs/promises";
import process from "node:process";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const page = new URL("../../docs/operate/runbooks.md", import.meta.url);

/** The SQL of a section, with these values instead of its placeholders. */
async function statementsOf(section: string, values: Record<string, string>): Promise<string[]> {
  const text = (await readFile(page, "utf8")).split(`\n## ${section}\n`)[1] ?? "";
  const code = /```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  const filled = Object.entries(values).reduce(
    (sofar, [placeholder, value]) => sofar.replaceAll(placeholder, value),
    code,
  );
  return filled.split(";").filter((statement) => statement.trim() !== "");
}

// The statements are for PostgreSQL.
describe.skipIf(process.env["TEST_DIALECT"] !== "postgres")("the runbook", () => {
  let test: TestService;
  beforeAll(async () => {
    test = await startTestService({ WORKSPACE_MAX_CONCURRENT_RUNS: "1" });
  });
  afterAll(() => test.stop());

  it("revokes the key of a flood of runs, and cancels them without executing the queued ones", async () => {
    const { db } = test.service.context;
    const tool = await test.makeTool(
      "export default ({ ms }) => { console.log('executed'); return new Promise((done) => setTimeout(done, ms, {})); }",
    );
    const start = async (ms: number) => {
      const body = { ms };
      const { runId } = (await test.call("POST", `/run/${tool}`, body, { prefer: "wait=0" })).body;
      return String(runId);
    };
    const runIds = [await start(60_000)];
    for (let n = 0; n < 5; n += 1) runIds.push(await start(1));
    const key = await db.kysely.selectFrom("api_keys").select("id").executeTakeFirstOrThrow();

    const statements = await statementsOf("ToolhostWorkspaceFillsQueue", {
      API_KEY_ID: key.id,
      WORKSPACE_ID: test.workspaceId,
    });
    expect(statements).toHaveLength(2);
    for (const statement of statements) await sql.raw(statement).execute(db.kysely);

    const ends = async () =>
      (
        await db.kysely.selectFrom("runs").select(["status"]).where("id", "in", runIds).execute()
      ).map(({ status }) => status);
    await expect.poll(ends).toEqual(runIds.map(() => "cancelled"));
    const logs = await db.kysely.selectFrom("run_logs").select("run_id").execute();
    expect(logs.filter(({ run_id: id }) => runIds.slice(1).includes(id))).toEqual([]);
    expect((await test.call("GET", "/tools")).status).toBe(401);
  });
});
