import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@toolhost/client";
import type { Client } from "@toolhost/client";
import type { BridgeCall } from "@toolhost/contract";
import type { Session } from "../session.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { command as shellCommand } from "../terminal/shell-command.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { errorOf, startStdioServer } from "./stdio-server.ts";
import type { Answer, StdioServer } from "./stdio-server.ts";

const maxCalls = 8;
/** The service accepts bodies of 1 MiB, unless its operator changed that. */
const maxBodyBytes = 1_000_000;
const minWaitMs = 1_000;
const firstPauseMs = 500;
const maxPauseMs = 30_000;
const disconnectMs = 3_000;
const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
const methods: ReadonlySet<string> = new Set(["tools/list", "tools/call"]);

/** Connects a local MCP server until Ctrl-C. */
export async function runBridge(
  { terminal, connect }: Session,
  { name = "local" }: { name?: string },
  ...command: string[]
): Promise<number> {
  if (!namePattern.test(name)) {
    throw usageError("--name takes lowercase letters, digits and hyphens, at most 40.");
  }
  const { client } = await connect();
  return untilInterrupted(async (signal) => {
    const server = await startStdioServer(command, signal);
    try {
      const serving = new AbortController();
      const all = AbortSignal.any([signal, serving.signal]);
      const ended = server.ended.then((error) => {
        serving.abort();
        throw error;
      });
      await Promise.race([ended, serve({ client, terminal, server, name }, all)]);
    } finally {
      await server.stop();
    }
  });
}

/** Runs something whose signal aborts on Ctrl-C, which is how it ends. A second Ctrl-C ends the process at once. */
async function untilInterrupted(run: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const one of signals) process.on(one, interrupt);
  try {
    await run(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    for (const one of signals) process.off(one, interrupt);
  }
  return exitCodes.ok;
}

type Bridge = { client: Client; terminal: Terminal; server: StdioServer; name: string };

/** Connects, and serves calls until the signal aborts or another process has the name. Reconnects with growing pauses. */
async function serve(bridge: Bridge, signal: AbortSignal): Promise<void> {
  const { client, terminal, name } = bridge;
  // A service that cannot be reached at the start has probably another URL.
  const { id } = await client.request("POST /bridges", { body: { name }, signal });
  terminal.part({ type: "connected", name, id }, () => `Connected as bridge ${name}.`);
  terminal.note(`Import its tools: ${shellCommand`toolhost import bridge:${name}`}`);
  const running = new Map<string, AbortController>();
  let received: string[] = [];
  try {
    for (;;) {
      const before = performance.now();
      const calls = await retrying(bridge, signal, () =>
        client.request("GET /bridges/{id}/calls", {
          params: { id },
          query: { received: received.join(",") },
          signal,
        }),
      );
      // The service returns messages again if it did not get their IDs.
      const isNew = (call: BridgeCall) => !received.includes(call.id);
      for (const call of calls.filter(isNew)) handle(bridge, { id, running }, call);
      received = calls.map((call) => call.id);
      // The service does not wait if too many requests wait already.
      const isSoon = calls.length === 0 && performance.now() - before < minWaitMs;
      if (isSoon) await sleep(minWaitMs, undefined, { signal });
    }
  } catch (error) {
    throw error instanceof ApiError && error.code === "not_found" ? replaced(name) : error;
  } finally {
    for (const call of running.values()) call.abort();
    const until = AbortSignal.timeout(disconnectMs);
    await client
      .request("DELETE /bridges/{id}", { params: { id }, signal: until })
      .catch(() => undefined);
  }
}

function replaced(name: string): CliError {
  return new CliError(`Another process connected a bridge with the name ${name}.`, {
    code: "bridge_replaced",
    exitCode: exitCodes.conflict,
    next: ["choose another name with --name"],
  });
}

/** Repeats a request while the service cannot be reached. */
async function retrying<T>(
  { terminal, name }: Bridge,
  signal: AbortSignal,
  request: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      const isFinal =
        error instanceof CliError ||
        (error instanceof ApiError && error.status < 500 && error.status !== 429);
      if (isFinal) throw error;
      terminal.part(
        { type: "disconnected", name },
        () => "The service cannot be reached. Retrying.",
      );
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

type Calls = { id: string; running: Map<string, AbortController> };

function handle(bridge: Bridge, { id, running }: Calls, call: BridgeCall): void {
  const { callId } = call;
  if (call.kind === "cancel") {
    running.get(callId)?.abort();
    return;
  }
  const controller = new AbortController();
  const isFull = running.size >= maxCalls;
  running.set(callId, controller);
  void respond(bridge, { id, isFull, signal: controller.signal }, call)
    .catch((error: unknown) => {
      const message = messageOf(error);
      bridge.terminal.part(
        { type: "error", message },
        () => `A call could not be answered: ${message}`,
      );
    })
    .finally(() => running.delete(callId));
}

type Response = { id: string; isFull: boolean; signal: AbortSignal };

async function respond(
  bridge: Bridge,
  { id, isFull, signal }: Response,
  { callId, request }: Extract<BridgeCall, { kind: "call" }>,
): Promise<void> {
  const { client, terminal, server } = bridge;
  const { method, params: given } = request;
  let answer: Answer = errorOf(`A bridge does not support ${method}.`);
  if (isFull) answer = errorOf(`The bridge has ${maxCalls} calls in progress. Try again later.`);
  else if (method === "initialize") answer = server.about;
  else if (methods.has(method)) answer = await server.request(method, given, signal);
  if (signal.aborted) return;
  if (method === "tools/call") {
    const tool = String(given["name"]);
    const isError = "error" in answer;
    terminal.part({ type: "call", tool, isError }, () => `${tool}${isError ? " failed" : ""}`);
  }
  // The service ignores repeated answers.
  const params = { id, callId };
  const send = async (sent: Answer) => {
    const body = { answer: toText(request.id, sent) };
    await retrying(bridge, signal, () =>
      client.request("PUT /bridges/{id}/calls/{callId}", { params, body, signal }),
    );
  };
  try {
    await send(answer);
  } catch (error) {
    if (signal.aborted) throw error;
    // Otherwise the run waits until its time limit.
    await send(errorOf(`The answer could not be sent: ${messageOf(error)}`)).catch(() => undefined);
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toText(id: string | number, answer: Answer): string {
  const text = JSON.stringify({ jsonrpc: "2.0", id, ...answer });
  if (Buffer.byteLength(JSON.stringify({ answer: text })) <= maxBodyBytes) return text;
  const message = `The answer has more than ${maxBodyBytes} bytes, which a bridge does not send.`;
  return JSON.stringify({ jsonrpc: "2.0", id, ...errorOf(message) });
}
