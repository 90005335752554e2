import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idFloor, newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { auditEvent } from "./audit-event.ts";
import { listEvents } from "./list-store.ts";
import type { AuditFilter } from "./audit-filter.ts";

const hourMs = 3_600_000;
const start = Date.now() - 100 * hourMs;
let test: TestService;
let workspaceId: string;
beforeAll(async () => {
  test = await startTestService();
  workspaceId = await test.addWorkspace();
  const events = [
    ["ada", "tool.create", "tool_1"],
    ["bob", "run.create", "run_1"],
    ["ada", "run.create", "run_2"],
    ["bob", "tool.update", "tool_1"],
  ] as const;
  for (const [index, [userId, action, target]] of events.entries()) {
    const at = start + index * hourMs;
    const who = {
      workspaceId,
      actor: { userId },
      via: "rest" as const,
      requestId: newId(),
      ip: null,
    };
    // As if it had been written at that time.
    const id = idFloor(at + 3).slice(0, 14) + newId().slice(14);
    const row = { ...auditEvent(at, who, { action, target }), id };
    await test.service.context.db.kysely.insertInto("audit_events").values(row).execute();
  }
});
afterAll(() => test.stop());

const viewer = (id: string) => ({ workspaceId: id, userId: "eve" });

async function find(filter: AuditFilter, after?: string) {
  const page = { limit: 10, after };
  const { db } = test.service.context;
  const { rows } = await listEvents(db, viewer(workspaceId), filter, page);
  return rows.map(({ user_id, target }) => `${user_id} ${target}`);
}

describe("listAuditEvents", () => {
  it("lists the newest event first", async () => {
    expect(await find({})).toEqual(["bob tool_1", "ada run_2", "bob run_1", "ada tool_1"]);
  });

  it.each([
    [{ actor: "ada" }, ["ada run_2", "ada tool_1"]],
    [{ action: "run.create" }, ["ada run_2", "bob run_1"]],
    [{ action: "tool.update" }, ["bob tool_1"]],
    [{ action: "tool.update", actor: "ada" }, []],
    [{ target: "tool_1" }, ["bob tool_1", "ada tool_1"]],
    [{ target: "tool_1", actor: "ada" }, ["ada tool_1"]],
    [{ since: start + 2 * hourMs }, ["bob tool_1", "ada run_2"]],
    [{ since: start + 2 * hourMs + 1 }, ["bob tool_1"]],
    [{ until: start }, ["ada tool_1"]],
    [{ until: start - 1 }, []],
    [{ since: start + hourMs, until: start + 2 * hourMs }, ["ada run_2", "bob run_1"]],
    [{ since: start + hourMs, until: start + 2 * hourMs, actor: "bob" }, ["bob run_1"]],
  ])("keeps what %o asks for", async (filter, expected) => {
    expect(await find(filter)).toEqual(expected);
  });

  it("continues after a page, also within a time range", async () => {
    const { db } = test.service.context;
    const page = { limit: 2, after: undefined };
    const last = (await listEvents(db, viewer(workspaceId), {}, page)).rows.at(-1);
    expect(await find({}, last?.id)).toEqual(["bob run_1", "ada tool_1"]);
    const filter = { since: start + hourMs, until: start + 3 * hourMs };
    expect(await find(filter, last?.id)).toEqual(["bob run_1"]);
    expect(await find({ until: start }, last?.id)).toEqual(["ada tool_1"]);
  });

  it("omits the events of other workspaces", async () => {
    const other = await test.addWorkspace();
    const page = { limit: 10, after: undefined };
    const filter = { target: "tool_1" };
    const { db } = test.service.context;
    expect((await listEvents(db, viewer(other), filter, page)).rows).toEqual([]);
    const anything = await listEvents(db, viewer(other), { q: "tool_1" }, page);
    expect(anything.rows).toEqual([]);
  });

  it("scans a limited number of events for a text", async () => {
    const { db } = test.service.context;
    const found: string[][] = [];
    let after: string | undefined;
    do {
      const page = { limit: 10, after };
      const { rows, scannedTo } = await listEvents(db, viewer(workspaceId), { q: "RUN_" }, page, 2);
      found.push(rows.map(({ target }) => target));
      after = scannedTo;
    } while (after !== undefined);
    expect(found).toEqual([["run_2"], ["run_1"], []]);
  });
});
