import { describe, expect, it } from "vitest";
import { summarizeStatement } from "./statements.ts";

describe("summarizeStatement", () => {
  it.each([
    ['select "id" from "runs" where "id" = $1', "select runs"],
    [
      "select a from (select b from one) x join two on true left join one on true",
      "select one two",
    ],
    ["insert into runs (id) values (?)", "insert runs"],
    [
      'insert into "counts" (key) values ($1) on conflict (key) do update set hits = 1',
      "insert counts",
    ],
    ['update "runs" set "status" = $1 where "id" = $2', "update runs"],
    ["delete from logs where id in (select id from runs)", "delete logs"],
    [
      "with guard as (update runs set a = ? returning 1), also_0 as (insert into audit_events (id) select ? from guard) select 1 from guard",
      "update runs insert audit_events",
    ],
    ["select id from chat_inbox for update skip locked", "select chat_inbox"],
    ["select (extract(epoch from clock_timestamp()) * 1000)::bigint from nodes", "select nodes"],
    ["SELECT * FROM pg_type", "select pg_type"],
    ["select 1", "select"],
    ["begin", "begin"],
    ["", "statement"],
  ])("summarizes %s as %s", (text, summary) => {
    expect(summarizeStatement(text)).toBe(summary);
  });

  it("has at most 255 characters and no part of a name", () => {
    const tables = Array.from({ length: 50 }, (_, index) => `table_${index}`);
    const summary = summarizeStatement(`select 1 from ${tables.join(" join ")}`);
    expect(summary.length).toBeLessThanOrEqual(255);
    expect(["select", ...tables]).toEqual(expect.arrayContaining(summary.split(" ")));
  });
});
