import { randomUUID } from "node:crypto";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";

/** The state of a service after its first start, from which services of tests start. */
export type Template = {
  dataDir: string;
  /** The name of its database on the test server, if it has one. */
  database: string | null;
  /** Its owner, with a session and a key with all scopes. */
  owner: {
    person: { email: string; password: string };
    cookie: string;
    apiKey: string;
    workspaceId: string;
  };
};

/** The environment variable with the path of a dialect's template, a JSON file. */
export function templateVariable(dialect = "sqlite"): string {
  return `TEST_TEMPLATE_${dialect.toUpperCase()}`;
}

const whatCannotBeCopied = ["ENCRYPTION_KEY", "DATABASE_URL", "DATA_DIR", "BASE_URL"];

/** The template of this test run's dialect. Undefined if it does not exist, or if the settings affect a first start. */
export async function findTemplate(
  settings: Readonly<Record<string, string>>,
): Promise<Template | undefined> {
  const file = process.env[templateVariable(process.env["TEST_DIALECT"])];
  if (file === undefined || whatCannotBeCopied.some((name) => name in settings)) return undefined;
  return JSON.parse(await readFile(file, "utf8")) as Template;
}

/** Cookies of one service as those of another one on the same data, whose names contain its port. */
export function cookieAt(cookie: string, baseUrl: string): string {
  const { port } = new URL(baseUrl);
  return cookie.replaceAll(
    /\btoolhost(?:-\d+)?(?=\.)/g,
    port === "" ? "toolhost" : `toolhost-${port}`,
  );
}

/** Creates a data folder from the template. */
export async function copyDataDir({ dataDir: from }: Template, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o711 });
  const files = ["encryption.key", "first-run.json", "toolhost.db"];
  await Promise.all(
    files.map((file) =>
      copyFile(join(from, file), join(to, file)).catch((error: unknown) => {
        // With a database server, the folder has only the key.
        if (Object(error).code !== "ENOENT") throw error;
      }),
    ),
  );
}

/** The database of a test. */
export type TestDatabase = { url: string; drop(): Promise<void> };

/** Creates a database on the test server, empty or from the template; undefined in a test run on SQLite. */
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
