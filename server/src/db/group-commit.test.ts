import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, it } from "vitest";
import { createGroupCommit } from "./group-commit.ts";

it("lets other work run between long writes, in their order", async () => {
  const folder = await mkdtemp(join(tmpdir(), "group-commit-"));
  const sqlite = new Sqlite(join(folder, "test.db"));
  sqlite.pragma("journal_mode = WAL");
  sqlite.exec("create table numbers (n integer primary key)");
  const insert = sqlite.prepare("insert into numbers values (?)");
  const group = createGroupCommit(sqlite);
  const done: unknown[] = [];
  const long = (n: number) => () => {
    const until = performance.now() + 30;
    while (performance.now() < until);
    insert.run(n);
    return n;
  };
  const note = (value: unknown) => done.push(value);
  const writes = [1, 2, 2, 3].map((n) => group.write(long(n)).then(note, () => note("failed")));
  let isOver = false;
  let turns = 0;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setTimeout(() => {
    count();
    void group.write(() => insert.run(4)).then(() => note(4));
  });
  await Promise.all(writes);
  isOver = true;
  await group.close();
  expect(done).toEqual([1, 2, "failed", 3, 4]);
  expect(turns).toBeGreaterThan(2);
  expect(sqlite.prepare("select n from numbers").pluck().all()).toEqual([1, 2, 3, 4]);
  sqlite.close();
  await rm(folder, { recursive: true });
});
