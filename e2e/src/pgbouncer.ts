import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { endWithProcess } from "./end-with-process.ts";
import { findQuietPort, unprivilegedUser } from "./postgres-server.ts";
import { until } from "./until.ts";

/** A connection pooler in transaction mode, in front of a PostgreSQL server. */
export type PgBouncer = {
  /** The URL of a database of the server, through the pooler. */
  urlOf(url: string): string;
  stop(): Promise<void>;
};

const program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path));

/** Whether this machine has what `startPgBouncer` needs. */
export const hasPgBouncer = program !== undefined;

/** Starts a pooler with few connections, so that consecutive statements of a client are executed by different sessions. */
export async function startPgBouncer(server: string): Promise<PgBouncer> {
  if (program === undefined) throw new Error("PgBouncer is not installed");
  const { hostname, port: serverPort, username, password } = new URL(server);
  const folder = await mkdtemp(join(tmpdir(), "toolhost-pgbouncer-"));
  const port = await findQuietPort();
  const secret = password === "" ? "" : ` password=${decodeURIComponent(password)}`;
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${serverPort || "5432"} user=${username}${secret}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 6",
    "max_client_conn = 300",
    "ignore_startup_parameters = extra_float_digits",
  ];
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, `${settings.join("\n")}\n`);
  const identity = unprivilegedUser();
  await chmod(folder, 0o755);
  if (identity !== undefined) await chown(file, identity.uid, identity.gid);
  const child = spawn(program, ["--quiet", file], {
    cwd: "/",
    stdio: ["ignore", "ignore", "inherit"],
    ...identity,
  });
  const end = endWithProcess(child);
  const urlOf = (url: string) => {
    const through = new URL(url);
    through.host = `127.0.0.1:${port}`;
    return through.href;
  };
  await until("PgBouncer answers", 10_000, () => canConnect(urlOf(server)));
  return {
    urlOf,
    stop: async () => {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
