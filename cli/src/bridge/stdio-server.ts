import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import process from "node:process";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { version } from "../version.ts";

/** The members of a JSON-RPC response. */
export type Answer = { result: unknown } | { error: { code: number; message: string } };

/** A local MCP server that this process started. */
export type StdioServer = {
  /** What the server answered to `initialize`. */
  about: Answer;
  /** Sends a request. Aborting the signal cancels it. Never rejects. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<Answer>;
  /** Resolves with the reason when the server has ended. */
  ended: Promise<CliError>;
  stop(): Promise<void>;
};

const maxMessageLength = 8 * 1024 * 1024;
const startTimeoutMs = 60_000;
const stopTimeoutMs = 2_000;
const protocolVersion = "2025-11-25";

type Message = { [name: string]: unknown };

/** Starts a server, and initializes it. Throws `CliError`. */
export async function startStdioServer(
  [command = "", ...args]: readonly string[],
  signal: AbortSignal,
): Promise<StdioServer> {
  // The server may be anyone's code, and needs no access to the service.
  const { TOOLHOST_API_KEY: _, ...env } = process.env;
  const isWindows = process.platform === "win32";
  // A group of its own, so that the processes which it starts end with it, and Ctrl-C reaches it only through `stop`.
  const child = spawn(command, args, {
    env,
    stdio: ["pipe", "pipe", "inherit"],
    detached: !isWindows,
    shell: isWindows,
  });
  const problems = new EventEmitter<{ problem: [CliError] }>();
  const ended = new Promise<CliError>((resolve) => problems.once("problem", resolve));
  const end = (message: string) => problems.emit("problem", failed(message));
  child.once("error", (error) => end(`${command} could not be started: ${error.message}`));
  child.once("exit", (code, name) => end(`${command} ended (${name ?? `code ${code}`}).`));
  const connection = connect(child, (problem) => {
    end(problem);
    kill(child, "SIGKILL");
  });
  void ended.then(({ message }) => connection.fail(message));
  const stop = async () => {
    kill(child, "SIGTERM");
    const timer = setTimeout(() => kill(child, "SIGKILL"), stopTimeoutMs);
    await ended;
    clearTimeout(timer);
    // Processes that the server has started may be left.
    kill(child, "SIGKILL");
  };
  const starting = AbortSignal.any([signal, AbortSignal.timeout(startTimeoutMs)]);
  const clientInfo = { name: "toolhost-bridge", version };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const about = await connection.request("initialize", params, starting);
  if ("error" in about) {
    await stop();
    signal.throwIfAborted();
    throw failed(`The MCP server did not start: ${about.error.message}`);
  }
  connection.notify("notifications/initialized");
  return { about, request: connection.request, ended, stop };
}

function failed(message: string): CliError {
  return new CliError(message, { code: "mcp_server_failed", exitCode: exitCodes.failed });
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

function connect(child: ChildProcess, onProblem: (problem: string) => void) {
  const pending = new Map<number, (answer: Answer) => void>();
  let requests = 0;
  const send = (message: Message) => {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const notify = (method: string, params: Message = {}) => send({ method, params });
  // An ended server closes its input.
  child.stdin?.on("error", () => {});
  readLines(child, {
    onLine: (line) => receive(line, { pending, send }),
    onTooLong: () => onProblem(`The MCP server sent more than ${maxMessageLength} bytes at once.`),
  });
  return {
    notify,
    request: (method: string, params: unknown, signal: AbortSignal): Promise<Answer> => {
      requests += 1;
      const id = requests;
      const cancel = () => {
        const resolve = pending.get(id);
        if (resolve === undefined) return;
        notify("notifications/cancelled", { requestId: id });
        resolve(errorOf("The request was cancelled."));
      };
      const answer = new Promise<Answer>((resolve) => pending.set(id, resolve));
      signal.addEventListener("abort", cancel, { once: true });
      if (signal.aborted) cancel();
      else send({ id, method, params });
      return answer.finally(() => {
        pending.delete(id);
        signal.removeEventListener("abort", cancel);
      });
    },
    fail: (problem: string) => {
      for (const resolve of pending.values()) resolve(errorOf(problem));
    },
  };
}

/** An error in the form of an answer. */
export function errorOf(message: string): Answer {
  return { error: { code: -32000, message } };
}

type Lines = { onLine: (line: string) => void; onTooLong: () => void };

function readLines({ stdout }: ChildProcess, { onLine, onTooLong }: Lines): void {
  let parts: string[] = [];
  let length = 0;
  stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const [first = "", ...rest] = chunk.split("\n");
    parts.push(first);
    length += first.length;
    for (const line of rest) {
      onLine(parts.join(""));
      parts = [line];
      length = line.length;
    }
    if (length <= maxMessageLength) return;
    parts = [];
    length = 0;
    onTooLong();
  });
}

type Connection = {
  pending: ReadonlyMap<number, (answer: Answer) => void>;
  send: (message: Message) => void;
};

/** Lines that are no message, such as a greeting, are ignored. All requests of the server are declined. */
function receive(line: string, { pending, send }: Connection): void {
  const message = parse(line);
  if (message === undefined) return;
  const { id, method, result, error } = message;
  if (typeof method === "string") {
    if (id === undefined) return;
    const declined = { code: -32601, message: "A bridge does not support requests of the server" };
    send(method === "ping" ? { id, result: {} } : { id, error: declined });
    return;
  }
  const resolve = typeof id === "number" ? pending.get(id) : undefined;
  if (resolve === undefined) return;
  if (isObject(error)) resolve({ error: error as { code: number; message: string } });
  else if (result === undefined)
    resolve(errorOf("The MCP server sent an answer without a result."));
  else resolve({ result });
}

function parse(line: string): Message | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
