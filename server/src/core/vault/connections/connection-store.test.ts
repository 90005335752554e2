import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { noConnection, sealSecrets } from "./connection.ts";
import { claimRenewal, isNodeAlive, releaseClaim, updateConnection } from "./connection-store.ts";

let test: TestService;
let row: { id: string; workspace_id: string; revision: number };

beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());
beforeEach(async () => {
  const { context } = test.service;
  row = { id: newId(), workspace_id: test.workspaceId, revision: 3 };
  await context.db.kysely
    .insertInto("credentials")
    .values({
      ...noConnection,
      ...row,
      ...sealSecrets(context, row.id, {}),
      owner_user_id: "",
      name: `NAME_${row.id}`,
      hosts: "[]",
      kind: "oauth2",
      created_by: "",
      created_at: 0,
      last_used_at: null,
      exposable: 0,
    })
    .execute();
});

const claim = (name: string, more: object = {}) => {
  const { db } = test.service.context;
  const wanted = { claim: name, now: 1_000, until: 2_000, lapsed: null, ...more };
  return db.transact([{ query: claimRenewal(db, row, wanted), mustChange: true }]);
};

describe("the claim to renew a connection", () => {
  it("allows one of many concurrent callers", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `claim ${index}`);
    const taken = await Promise.all(names.map((name) => claim(name)));
    expect(taken.filter(Boolean)).toEqual([true]);
  });

  it("is available when it has expired, or its node has stopped", async () => {
    expect(await claim("one")).toBe(true);
    expect(await claim("two", { now: 1_999 })).toBe(false);
    expect(await claim("two", { lapsed: "another" })).toBe(false);
    expect(await claim("two", { lapsed: "one" })).toBe(true);
    expect(await claim("three", { now: 2_000, until: 3_000 })).toBe(true);
  });

  it("is refused to a caller with older tokens, and released by its holder only", async () => {
    const { db } = test.service.context;
    const change = { refresh_claim: null, refresh_until: null };
    const release = (name: string) =>
      db.transact([{ query: releaseClaim(db, row, name, change), mustChange: true }]);
    expect(await claim("one")).toBe(true);
    expect(await release("two")).toBe(false);
    expect(await release("one")).toBe(true);
    const newer = { ...row, revision: 4 };
    const query = updateConnection(db, row, { revision: newer.revision });
    expect(await db.transact([{ query, mustChange: true }])).toBe(true);
    expect(await claim("three")).toBe(false);
    row = newer;
    expect(await claim("three")).toBe(true);
  });

  it("expires when its node has not sent a heartbeat for long", async () => {
    const { db, nodeId } = test.service.context;
    expect(await isNodeAlive(db, nodeId, 60_000)).toBe(true);
    expect(await isNodeAlive(db, newId(), 60_000)).toBe(false);
    await db.kysely
      .insertInto("nodes")
      .values({ id: "silent", seen_at: Date.now() - 20_000, key_ids: "" })
      .execute();
    expect(await isNodeAlive(db, "silent", 10_000)).toBe(false);
  });
});
