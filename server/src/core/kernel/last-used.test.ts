import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { createLastUsed } from "./last-used.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const db = () => test.service.context.db;
const ids = Array.from({ length: 50 }, (_, index) => `last-used-${String(index).padStart(2, "0")}`);

async function addKeys(): Promise<void> {
  const [row] = await db().kysely.selectFrom("api_keys").selectAll().limit(1).execute();
  if (row === undefined) throw new Error("The template has no API key.");
  await db()
    .kysely.insertInto("api_keys")
    .values(ids.map((id) => ({ ...row, id, key_hash: id, last_used_at: null })))
    .execute();
}

const times = async () =>
  new Map(
    (
      await db()
        .kysely.selectFrom("api_keys")
        .select(["id", "last_used_at"])
        .where("id", "in", ids)
        .execute()
    ).map((row) => [row.id, Number(row.last_used_at)]),
  );

describe("createLastUsed", () => {
  beforeAll(addKeys);

  it("writes the latest time of each row when two nodes flush at once", async () => {
    for (let round = 1; round <= 10; round++) {
      const [a, b] = [createLastUsed(db()), createLastUsed(db())];
      for (const id of ids) a.note("api_keys", id, round * 10);
      for (const id of ids.toReversed()) b.note("api_keys", id, round * 10 + 5);
      await Promise.all([a.flush(), b.flush()]);
      expect([...(await times()).values()]).toEqual(ids.map(() => round * 10 + 5));
    }
  });

  it("does not move a time backwards", async () => {
    const late = createLastUsed(db());
    late.note("api_keys", ids[0] ?? "", 7);
    await late.flush();
    expect((await times()).get(ids[0] ?? "")).toBeGreaterThan(7);
  });

  it("writes the other tables, and keeps the times, when one table cannot be written", async () => {
    const broken = { isBroken: true };
    const { kysely, ...rest } = db();
    const lastUsed = createLastUsed({
      ...rest,
      kysely,
      transact: async (steps) => {
        if (broken.isBroken && JSON.stringify(steps).includes("credentials"))
          throw new Error("deadlock detected");
        return db().transact(steps);
      },
    });
    lastUsed.note("credentials", "missing", 1);
    lastUsed.note("api_keys", ids[1] ?? "", 5000);
    await expect(lastUsed.flush()).rejects.toThrow("deadlock");
    expect((await times()).get(ids[1] ?? "")).toBe(5000);
    broken.isBroken = false;
    await lastUsed.flush();
  });
});
