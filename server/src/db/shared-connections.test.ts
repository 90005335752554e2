import process from "node:process";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startSlowProxy } from "#testing/slow-proxy";
import type { SlowProxy } from "#testing/slow-proxy";
import { createDatabase } from "#testing/template";
import type { TestDatabase } from "#testing/template";
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";

const roundTripMs = 200;
const poolSize = 4;

describe.skipIf(process.env["TEST_DIALECT"] !== "postgres")("the connection pool", () => {
  let server: TestDatabase | undefined;
  let proxy: SlowProxy;
  let db: Database;

  beforeAll(async () => {
    server = await createDatabase();
    const url = new URL(server?.url ?? "");
    proxy = await startSlowProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${proxy.port}`;
    db = openPostgres({ url: url.href, poolSize, onError: () => undefined });
    await sql`create table marks (name text primary key, value text)`.execute(db.kysely);
  });
  afterEach(() => {
    proxy.roundTripMs = 0;
  });
  afterAll(async () => {
    await db?.close();
    await proxy?.close();
    await server?.drop();
  });

  const echo = { name: "test_echo", text: "select cast(? as text) as said" };
  const say = async (text: string) => (await db.query<{ said: string }>(echo, [text]))[0]?.said;
  const sayMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => say(`${index}`)));
  const put = (name: string, value = "x") =>
    sql`insert into marks (name, value) values (${name}, ${value})`.compile(db.kysely);
  const change = (name: string, value: string) => ({
    query: sql`update marks set value = ${value} where name = ${name}`.compile(db.kysely),
    mustChange: true as const,
  });
  const find = async (name: string) =>
    (await sql<{ value: string }>`select value from marks where name = ${name}`.execute(db.kysely))
      .rows[0]?.value;
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };

  it("has more statements in flight than connections", async () => {
    // Opens all connections.
    await sayMany(40);
    expect(proxy.connections.max).toBeLessThanOrEqual(poolSize);
    proxy.roundTripMs = roundTripMs;
    const statements = 40;
    const oneByOneMs = (statements / poolSize) * roundTripMs;
    let said: (string | undefined)[] = [];
    expect(await timed(async () => (said = await sayMany(statements)))).toBeLessThan(
      oneByOneMs / 2,
    );
    expect(said).toEqual(Array.from({ length: statements }, (_, index) => `${index}`));
  });

  it("returns an error to the caller whose statement failed", async () => {
    const wrong = { name: "test_wrong", text: "select 1 / cast(? as integer) as said" };
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        index % 3 === 0 ? db.query(wrong, [0]) : say(`${index}`),
      ),
    );
    const expected = results.map((_, index) => (index % 3 === 0 ? "division by zero" : `${index}`));
    const messageOf = (reason: unknown) => (reason instanceof Error ? reason.message : "");
    const actual = results.map((result) =>
      result.status === "fulfilled" ? result.value : messageOf(result.reason),
    );
    expect(actual).toEqual(expected);
  });

  it("executes a transaction in one round trip, or two if it depends on a change", async () => {
    proxy.roundTripMs = roundTripMs;
    const plainMs = await timed(() => db.transact([put("a"), put("b"), put("c")]));
    expect(plainMs).toBeLessThan(2 * roundTripMs);
    const conditionalMs = await timed(() => db.transact([change("a", "y"), put("d"), put("e")]));
    expect(conditionalMs).toBeLessThan(3 * roundTripMs);
    expect([await find("a"), await find("c"), await find("e")]).toEqual(["y", "x", "x"]);
  });

  it("undoes a transaction whose condition does not hold, even if a later step fails", async () => {
    expect(await db.transact([put("f"), change("missing", "y"), put("a"), put("g")])).toBe(false);
    const refusal = () => new Error("refused");
    await expect(
      db.transact([put("f"), { ...change("missing", "y"), refusal }, put("a")]),
    ).rejects.toThrow("refused");
    await expect(db.transact([put("f"), put("a"), change("missing", "y")])).rejects.toThrow(
      /duplicate key/,
    );
    expect(await find("f")).toBeUndefined();
    expect(await db.transact([put("f")])).toBe(true);
  });

  it("gives a transaction of the query builder a connection of its own", async () => {
    const writing = db.kysely.transaction().execute(async (transaction) => {
      await sql`insert into marks (name, value) values ('h', 'x')`.execute(transaction);
      await sayMany(20);
      throw new Error("undone");
    });
    await expect(writing).rejects.toThrow("undone");
    expect(await find("h")).toBeUndefined();
  });

  it("leaves connections for transactions while statements are slow", async () => {
    const slow = Array.from({ length: 8 }, () => sql`select pg_sleep(1)`.execute(db.kysely));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const transactionMs = await timed(() => db.transact([put("i")]));
    expect(transactionMs).toBeLessThan(900);
    await Promise.all(slow);
  });

  it("fails what is in flight on a broken connection, and replaces the connection", async () => {
    // Opens all connections, since the proxy cannot cut one that it has not accepted yet.
    await Promise.all([sayMany(40), db.transact([put("open")])]);
    proxy.roundTripMs = roundTripMs;
    const statements = Array.from({ length: 20 }, (_, index) => say(`${index}`));
    const results = Promise.allSettled([...statements, db.transact([put("j")])]);
    await new Promise((resolve) => setTimeout(resolve, roundTripMs / 4));
    proxy.cut();
    for (const result of await results) expect(result.status).toBe("rejected");
    proxy.roundTripMs = 0;
    // A connection that was idle or opening may end a moment later.
    await expect
      .poll(() => Promise.allSettled([sayMany(20)]))
      .toMatchObject([{ value: { length: 20 } }]);
    expect(await db.transact([put("k")])).toBe(true);
  });
});
