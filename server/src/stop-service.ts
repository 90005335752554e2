import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { stopRuns } from "#core/runs";
import { drainConnections } from "#core/vault";
import { newId } from "#lib/ids";
import { toWaitingPage } from "#oauth";
import { toProblemResponse } from "#rest";
import { leaveInOrder } from "./background-tasks.ts";

/** Answers the requests of the port; replaced when the service has started and when it stops. */
export type Handler = {
  fetch: (request: Request, env: HttpBindings) => Response | Promise<Response>;
};

type Stoppable = { stop(): void };
type AsyncStoppable = { stop(): Promise<void> };

/** What a running service consists of, besides its context. */
type Parts = {
  server: Server;
  handler: Handler;
  guard: Stoppable;
  loop: Stoppable;
  streams: AsyncStoppable;
  tasks: readonly AsyncStoppable[];
  signals: { close(): Promise<void> } | undefined;
  metricsServer: Stoppable | undefined;
};

/** Stops the service: leaves load balancers, closes the port, waits for runs during the grace period, and closes everything. */
export async function stopService(context: Context, parts: Parts, signal?: string): Promise<void> {
  const { config, log } = context;
  const { server, handler } = parts;
  log.info({ signal, runs: context.runs.admission.running() }, "stopping");
  await leaveLoadBalancers(context, handler);
  parts.loop.stop();
  server.close();
  server.closeIdleConnections();
  // Open connections may still send requests.
  handler.fetch = (request) => unavailable("stopping", request);
  const graceMs = config.SHUTDOWN_GRACE_MS;
  await Promise.all([
    parts.streams.stop(),
    stopRuns(context, graceMs),
    context.chat.worker.stop(graceMs),
    context.webhooks.worker.stop(graceMs),
  ]);
  await Promise.all(parts.tasks.map((task) => task.stop()));
  await parts.signals?.close();
  context.validation.stop();
  context.imports.reader.stop();
  await Promise.all([context.sandbox.stop(), context.builder.stop()]);
  await drainConnections(context);
  await context.outbound.close();
  await context.mailer.close();
  await leaveInOrder(context);
  server.closeAllConnections();
  parts.guard.stop();
  parts.metricsServer?.stop();
  await Promise.all([context.db.close(), context.tracing.stop()]);
  log.info("stopped");
}

/**
 * Serves requests for `SHUTDOWN_DELAY_MS` while `/readyz` fails, and closes each connection after its next response, so
 * that load balancers send further requests to other nodes before the port closes.
 */
async function leaveLoadBalancers({ cluster, config }: Context, handler: Handler): Promise<void> {
  if (config.SHUTDOWN_DELAY_MS === 0) return;
  cluster.isLeaving = true;
  const { fetch } = handler;
  handler.fetch = async (request, env) => {
    const response = await fetch(request, env);
    response.headers.set("connection", "close");
    return response;
  };
  await sleep(config.SHUTDOWN_DELAY_MS);
}

/** The response while the service does not serve requests: a page for browsers, a problem for everything else. */
export async function unavailable(
  state: "starting" | "stopping",
  { method, headers }: Request,
): Promise<Response> {
  const isPage = method === "GET" && headers.get("accept")?.includes("text/html") === true;
  if (isPage) return toWaitingPage(state);
  const refusal = new ServiceError("unavailable", `The service is ${state}.`, {
    retryAfterSeconds: 1,
  });
  const requestId = newId();
  return toProblemResponse(refusal, requestId);
}
