import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { programPath } from "../src/program.ts";
import { endOnExit, stopChild } from "./cleanup.ts";
import { openClient } from "./http-client.ts";
import type { HttpClient } from "./http-client.ts";
import { field, textField } from "./json.ts";
import { serviceEnvironment } from "./settings.ts";

/** The real service in a separate process, with a key that has all scopes. */
export type Service = {
  pid: number;
  port: number;
  apiKey: string;
  /** The isolation layer that it reports. */
  layer: string;
  database: "sqlite" | "postgres";
  /** Shuts it down gracefully and waits for its exit. */
  stop(): Promise<void>;
};

const startMs = 150_000;
const stopMs = 30_000;
const main = programPath("main");
/** The flags of `npm start` and of the container image. */
const startFlags = ["--max-semi-space-size=8"];

/** A service whose costs are counted. */
export type CountedService = Service & {
  /** Sends a message to `count-costs.ts` and returns its response. One at a time. */
  ask(message: string): Promise<unknown>;
};

/** Starts the service like {@link startService}, with `count-costs.ts` loaded before it. */
export async function startCountedService(
  dataDir: string,
  settings: Record<string, string>,
): Promise<CountedService> {
  const counter = new URL("count-costs.ts", import.meta.url).href;
  // Code allocates less once it is optimized, and on a busy machine threads in the background take long for that.
  const options = ["--no-concurrent-recompilation", "--import", counter];
  const child = spawnService(dataDir, settings, [...options, main], ["ipc"]);
  const ask = (message: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    child.once("message", resolve);
    child.send(message, (error) => {
      if (error !== null) reject(error);
    });
    return promise;
  };
  return { ...(await whenStarted(child, dataDir, settings)), ask };
}

/**
 * Starts the service on a free port, with SQLite in `dataDir` or with the database in DATABASE_URL, and with further
 * `settings`. `program` is the bundle of another version. Throws with its output if it does not become ready to run tools.
 */
export async function startService(
  dataDir: string,
  settings: Record<string, string> = {},
  program = main,
): Promise<Service> {
  return whenStarted(spawnService(dataDir, settings, [...startFlags, program]), dataDir, settings);
}

/** Starts a further node on the database in DATABASE_URL of `settings`, which has a user already. */
export async function startNode(
  dataDir: string,
  settings: Record<string, string>,
): Promise<Pick<Service, "pid" | "port" | "stop">> {
  const child = spawnService(dataDir, settings, [main]);
  const stop = () => stopChild(child, stopMs);
  try {
    const { port } = await untilReady(child);
    if (child.pid === undefined) throw new Error("The service has no pid");
    return { pid: child.pid, port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function spawnService(
  dataDir: string,
  settings: Record<string, string>,
  args: readonly string[],
  messages: readonly "ipc"[] = [],
): ChildProcess {
  const child = spawn(process.execPath, args, {
    // Not the checkout, which may contain a developer's `.env`.
    cwd: dataDir,
    env: { ...process.env, ...serviceEnvironment(dataDir), ...settings },
    stdio: ["ignore", "pipe", "inherit", ...messages],
  });
  endOnExit(child);
  return child;
}

async function whenStarted(
  child: ChildProcess,
  dataDir: string,
  settings: Record<string, string>,
): Promise<Service> {
  const stop = () => stopChild(child, stopMs);
  try {
    const { port, layer } = await untilReady(child);
    const url = settings["DATABASE_URL"] ?? process.env["DATABASE_URL"];
    const database = url ? "postgres" : "sqlite";
    const apiKey = await makeKey(port, dataDir, database);
    if (child.pid === undefined) throw new Error("The service has no pid");
    return { pid: child.pid, port, apiKey, layer, database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Saves a tool and returns its name. */
export async function saveTool(
  client: HttpClient,
  apiKey: string,
  tool: { title: string; code: string; isolation: string },
): Promise<string> {
  const { title, code, isolation } = tool;
  const draft = {
    title,
    description: "Adds two numbers.",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
    outputSchema: { properties: [{ name: "sum", type: "number", description: "Their sum" }] },
    source: { language: "javascript", code },
    isolation,
  };
  const headers = { ...bearer(apiKey), "idempotency-key": randomUUID() };
  const answer = await client.send("POST", "/api/v1/tools", headers, JSON.stringify(draft));
  return textField(expectStatus(answer, 201), "name");
}

/** Runs a tool once over the network. Rejects for any response but the correct sum, and returns its size. */
export function runCall(client: HttpClient, apiKey: string, tool: string): () => Promise<number> {
  const path = `/api/v1/run/${tool}`;
  const authorization = bearer(apiKey);
  let runs = 0;
  return async () => {
    runs += 1;
    const sum = runs + 1;
    const headers = { ...authorization, "idempotency-key": randomUUID() };
    const answer = await client.send("POST", path, headers, JSON.stringify({ a: runs, b: 1 }));
    const result = expectStatus(answer, 200);
    if (field(result, "status") !== "completed" || field(field(result, "output"), "sum") !== sum) {
      throw new Error(`Expected the sum ${sum}, got ${answer.text}`);
    }
    return answer.text.length;
  };
}

async function untilReady(child: ChildProcess): Promise<{ port: number; layer: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ port: number; layer: string }>();
  let words = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    words += chunk.toString();
    const ready = /ready at \S+:(\d+)\nSandbox: (.*)\n/.exec(words);
    const [, port, layer] = ready ?? [];
    if (port === undefined || layer === undefined) return;
    const name = /^(bwrap|namespaces|process)\b/.exec(layer)?.[1];
    if (name === undefined) reject(new Error(layer));
    else resolve({ port: Number(port), layer: name });
  });
  child.once("error", reject);
  child.once("exit", (code) => reject(new Error(`The service exited with code ${code}`)));
  const timer = setTimeout(() => reject(new Error("The service did not start in time")), startMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

async function makeKey(port: number, dataDir: string, database: string): Promise<string> {
  const client = openClient(port);
  try {
    const cookie =
      database === "sqlite" ? await signInAsOwner(client, dataDir) : await signUp(client);
    const me = expectStatus(await client.send("GET", "/api/v1/me", { cookie }), 200);
    const body = JSON.stringify({ name: "Bench", scopes: field(me, "scopes") });
    const headers = { cookie, "idempotency-key": randomUUID() };
    const answer = await client.send("POST", "/api/v1/api-keys", headers, body);
    return textField(expectStatus(answer, 201), "key");
  } finally {
    client.close();
  }
}

async function signInAsOwner(client: HttpClient, dataDir: string): Promise<string> {
  const owner: unknown = JSON.parse(await readFile(join(dataDir, "first-run.json"), "utf8"));
  const person = { email: textField(owner, "email"), password: textField(owner, "password") };
  return authenticate(client, "sign-in", person);
}

/** Requires an empty database, because the first user to sign up owns a server. */
async function signUp(client: HttpClient): Promise<string> {
  const person = { name: "Bench", email: "bench@example.com", password: randomUUID() };
  return authenticate(client, "sign-up", person);
}

async function authenticate(
  client: HttpClient,
  how: "sign-in" | "sign-up",
  person: Record<string, string>,
): Promise<string> {
  const answer = await client.send("POST", `/api/auth/${how}/email`, {}, JSON.stringify(person));
  if (how === "sign-up" && answer.status === 403) {
    throw new Error(
      "The database in DATABASE_URL already has users. Use an empty database for the benchmark.",
    );
  }
  expectStatus(answer, 200);
  return (answer.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
}

function bearer(apiKey: string): { authorization: string } {
  return { authorization: `Bearer ${apiKey}` };
}

function expectStatus(answer: { status: number; text: string }, status: number): unknown {
  if (answer.status === status) return JSON.parse(answer.text);
  throw new Error(`Expected status ${status}, got ${answer.status}: ${answer.text}`);
}
