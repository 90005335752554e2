import fs from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { Session } from "node:inspector/promises";
import { Socket } from "node:net";
import process from "node:process";
import { getHeapStatistics } from "node:v8";
import type SqliteDatabase from "better-sqlite3";

// The service loads this before its own code when its costs are measured. It answers its parent over IPC.

/** All writes of a socket pass this method of Node.js. */
const writeName = "_writeGeneric";

const statements = new Map<string, number>();
let syncs = 0;
let sandboxWrites = 0;

countStatements();
countSyncs();
countSandboxWrites();
answerParent();

/** Counts each execution of a prepared statement of SQLite. */
function countStatements(): void {
  const Sqlite = createRequire(import.meta.url)("better-sqlite3") as typeof SqliteDatabase;
  const database = new Sqlite(":memory:");
  const prototype = Object.getPrototypeOf(database.prepare("select 1")) as Record<
    string,
    (this: { source: string }, ...values: unknown[]) => unknown
  >;
  database.close();
  for (const name of ["run", "get", "all"]) {
    const execute = prototype[name];
    if (execute === undefined) throw new Error(`A statement of SQLite has no ${name}`);
    prototype[name] = function counted(...values) {
      statements.set(this.source, (statements.get(this.source) ?? 0) + 1);
      return execute.apply(this, values);
    };
  }
}

function countSyncs(): void {
  const { fdatasync } = fs;
  const counted = (...values: Parameters<typeof fdatasync>) => {
    syncs += 1;
    fdatasync(...values);
  };
  fs.fdatasync = Object.assign(counted, fdatasync);
  syncBuiltinESMExports();
}

/** Counts what is written to connections that were opened to a path, which are those to the sandbox. */
function countSandboxWrites(): void {
  const toSandbox = new WeakSet<Socket>();
  const prototype = Socket.prototype as unknown as Record<
    "connect" | typeof writeName,
    (this: Socket, ...values: unknown[]) => unknown
  >;
  const { connect, [writeName]: write } = prototype;
  prototype.connect = function counted(...values) {
    const [first] = values.flat() as [{ path?: unknown } | undefined];
    if (typeof first === "object" && typeof first.path === "string") toSandbox.add(this);
    return connect.apply(this, values);
  };
  prototype[writeName] = function counted(...values) {
    if (toSandbox.has(this)) sandboxWrites += 1;
    return write.apply(this, values);
  };
}

function answerParent(): void {
  let session: Session | undefined;
  const answer = async (question: unknown): Promise<unknown> => {
    if (question === "profile") {
      session = new Session();
      session.connect();
      await session.post("Profiler.enable");
      await session.post("Profiler.setSamplingInterval", { interval: 200 });
      await session.post("Profiler.start");
      return {};
    }
    if (question === "end profile") {
      const ended = await session?.post("Profiler.stop");
      session?.disconnect();
      return ended?.profile;
    }
    const { total_allocated_bytes: allocatedBytes } = getHeapStatistics() as unknown as Record<
      string,
      number
    >;
    return { allocatedBytes, syncs, sandboxWrites, statements: Object.fromEntries(statements) };
  };
  process.on("message", (question) => void answer(question).then((reply) => process.send?.(reply)));
  process.channel?.unref();
}
