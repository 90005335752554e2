import { randomUUID } from "node:crypto";
import pg from "pg";

/** A database that is dropped after the benchmark. */
export type BenchDatabase = { url: string; drop(): Promise<void> };

/** Creates a database on the PostgreSQL server of a URL, or none for the embedded database. */
export async function makeDatabase(server: string | undefined): Promise<BenchDatabase | undefined> {
  if (server === undefined) return undefined;
  const name = `bench_${randomUUID().replaceAll("-", "")}`;
  const admin = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await admin(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin(`drop database ${name} with (force)`) };
}
