import { randomUUID } from "node:crypto";
import process from "node:process";
import pg from "pg";

/** The database that this test run is for. */
export const dialect = process.env["TEST_DIALECT"] === "postgres" ? "postgres" : "sqlite";

/** A fresh database on the test server, or undefined where the service brings its own. */
export async function createDatabase(): Promise<
  { url: string; drop(): Promise<void> } | undefined
> {
  const server = process.env["TEST_DATABASE_URL"];
  if (dialect === "sqlite") return undefined;
  if (server === undefined) throw new Error("TEST_DATABASE_URL names no PostgreSQL server");
  const name = `e2e_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await execute(server, `create database ${name}`);
  return { url: url.href, drop: () => execute(server, `drop database ${name} with (force)`) };
}

async function execute(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
