import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import pg from "pg";
import { descendantsOf } from "./processes.ts";

/** A separate PostgreSQL server, which a test can stop without affecting others. */
export type PostgresServer = {
  /** URL of an initially empty database. */
  readonly url: string;
  /** Restarts it after `stop`, with the same data and port, and waits until it responds. */
  start(): Promise<void>;
  /** "immediate" simulates a crash: nothing is flushed, and the next start recovers from the log. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Closes all connections and keeps running; returns their number. */
  cutConnections(): Promise<number>;
  /** Its main process. */
  pid(): number;
  /** Freezes it with open connections until the returned function is called. */
  freeze(): () => void;
  /** Stops it if it is running, and deletes its data. */
  remove(): Promise<void>;
};

const run = promisify(execFile);
const packages = "/usr/lib/postgresql";
const programs = findPrograms();

/** Whether the requirements of `startPostgres` are installed. */
export const hasPostgres = programs !== undefined;

/**
 * Creates and starts a server with an empty data folder and further `options`. Throws if PostgreSQL is not installed.
 */
export async function startPostgres(options: readonly string[] = []): Promise<PostgresServer> {
  if (programs === undefined) throw new Error("No PostgreSQL server is installed here");
  const folder = await mkdtemp(join(tmpdir(), "toolhost-postgres-"));
  const port = await findQuietPort();
  const identity = unprivilegedUser();
  if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
  const data = join(folder, "data");
  const control = (...args: string[]) =>
    run(join(programs, "pg_ctl"), ["-D", data, "-w", ...args], { cwd: "/", ...identity });
  const settings = [
    `-p ${port}`,
    "-c listen_addresses=127.0.0.1",
    `-c unix_socket_directories=${folder}`,
    "-c max_connections=300",
    "-c fsync=on",
    ...options,
  ];
  const start = async () => {
    await control("-l", join(folder, "log"), "-o", settings.join(" "), "start");
  };
  // An interrupted test run must leave no server behind.
  const abandon = () => stopNow(join(programs, "pg_ctl"), data, folder, identity);
  process.once("exit", abandon);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await run(
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"],
    { cwd: "/", ...identity },
  );
  await start();
  return {
    url,
    start,
    stop: async (mode) => void (await control("-m", mode, "stop")),
    cutConnections: () => cutConnections(url),
    pid: () => readPid(data),
    freeze: () => freeze(data),
    remove: async () => {
      process.off("exit", abandon);
      await control("-m", "immediate", "stop").catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A free port below the range of outgoing connections, so that it is still free after the server was stopped.
 */
export async function findQuietPort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await canListen(port)) return port;
  }
  throw new Error("No free port was found");
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

async function cutConnections(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}

function readPid(data: string): number {
  const [line = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  return Number(line);
}

function freeze(data: string): () => void {
  const postmaster = readPid(data);
  const stopped = [postmaster, ...descendantsOf(postmaster).map(({ pid }) => pid)];
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of stopped) process.kill(pid, "SIGCONT");
  };
}

/** PostgreSQL and PgBouncer refuse to run as root, so root starts them as the user that PostgreSQL's package created. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: askId("-u"), gid: askId("-g") };
}

function askId(kind: "-u" | "-g"): number {
  return Number(execFileSync("id", [kind, "postgres"], { encoding: "utf8" }));
}

function findPrograms(): string | undefined {
  if (!existsSync(packages)) return undefined;
  return readdirSync(packages)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(packages, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")));
}

function stopNow(
  control: string,
  data: string,
  folder: string,
  identity: object | undefined,
): void {
  try {
    execFileSync(control, ["-D", data, "-m", "immediate", "stop"], {
      cwd: "/",
      stdio: "ignore",
      ...identity,
    });
  } catch {
    // It was not running.
  }
  rmSync(folder, { recursive: true, force: true });
}
