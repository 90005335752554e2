import { randomUUID } from "node:crypto";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";

/** What a service looked like after its first start, for tests whose services begin where it ended. */
export type Template = {
  dataDir: string;
  /** The name of its database on the test server, if it has one there. */
  database: string | null;
  /** Its owner, with a session and a key that may do everything. */
  owner: {
    person: { email: string; password: string };
    cookie: string;
    apiKey: string;
    workspaceId: string;
  };
};

/** Where the environment names the template of a dialect: a file of JSON. */
export function templateVariable(dialect = "sqlite"): string {
  return `TEST_TEMPLATE_${dialect.toUpperCase()}`;
}

const whatCannotBeCopied = ["ENCRYPTION_KEY", "DATABASE_URL", "DATA_DIR", "BASE_URL"];

/**
 * The template of this test run's dialect. Undefined where there is none, and for settings that a first start
 * looks at.
 */
export async function findTemplate(
  settings: Readonly<Record<string, string>>,
): Promise<Template | undefined> {
  const file = process.env[templateVariable(process.env["TEST_DIALECT"])];
  if (file === undefined || whatCannotBeCopied.some((name) => name in settings)) return undefined;
  return JSON.parse(await readFile(file, "utf8")) as Template;
}

/** Makes a data folder like the template's. */
export async function copyDataDir({ dataDir: from }: Template, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o711 });
  const files = ["encryption.key", "first-run.json", "toolhost.db"];
  await Promise.all(
    files.map((file) =>
      copyFile(join(from, file), join(to, file)).catch((error: unknown) => {
        // With a database server there is only the key.
        if (Object(error).code !== "ENOENT") throw error;
      }),
    ),
  );
}

/** A database of the test's own. */
export type TestDatabase = { url: string; drop(): Promise<void> };

/** A new database on the test server, empty or like the template's; undefined in a test run on SQLite. */
export async function createDatabase(template?: Template): Promise<TestDatabase | undefined> {
  const server = process.env["TEST_DATABASE_URL"];
  if (process.env["TEST_DIALECT"] !== "postgres") return undefined;
  if (server === undefined) throw new Error("TEST_DATABASE_URL names no PostgreSQL server");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const source = template?.database == null ? "" : ` template ${template.database}`;
  await execute(server, `create database ${name}${source}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropDatabase(server, name) };
}

/** Deletes a database of the test server and closes its connections. */
export async function dropDatabase(server: string | undefined, name: string | null): Promise<void> {
  if (server === undefined || name === null) return;
  await execute(server, `drop database if exists ${name} with (force)`);
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
