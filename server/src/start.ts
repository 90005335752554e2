import { mkdirSync } from "node:fs";
import { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { HttpBindings } from "@hono/node-server";
import { hasPeople } from "#core/identity";
import { startChatStreams } from "#bot";
import { startChatWorker } from "#core/chat";
import { settleConnections } from "#core/vault";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { stopRuns, subscribe } from "#core/runs";
import { newId } from "#lib/ids";
import { createLog } from "#lib/log";
import { createMetrics, toProblemResponse } from "#rest";
import { createApp } from "./app.ts";
import { leaveInOrder, startTasks } from "./background-tasks.ts";
import { guardConnections } from "./connection-guard.ts";
import { listenForMetrics } from "./serve-metrics.ts";
import { withPort } from "./config.ts";
import type { Config } from "./config.ts";
import { createModules } from "./modules.ts";
import { watchLoop } from "./watch-loop.ts";
import type { FirstStart } from "./first-start.ts";

/** A running service. */
export type Service = {
  context: Context;
  /** Undefined but on the first start on an empty embedded database. */
  firstStart: FirstStart | undefined;
  /** Where metrics are served when they have a port of their own. */
  metricsPort: number | undefined;
  /** Whether nobody owns the server yet: the first to sign up will. */
  isUnowned: boolean;
  /** Stops taking requests, lets runs end for the grace time, and closes everything. */
  stop(): Promise<void>;
};

/** How often connections are looked at whose headers have not ended. */
const headersCheckMs = 2_000;

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** Starts the service: takes the port, then the database, then the sandbox. Throws what stops it. */
export async function startService(given: Config): Promise<Service> {
  const log = createLog(given.LOG_LEVEL);
  const door: { fetch: Fetch } = { fetch: () => unavailable("starting") };
  const server = createAdaptorServer({
    fetch: (request: Request, env) => door.fetch(request, env as HttpBindings),
    overrideGlobalObjects: false,
    serverOptions: { connectionsCheckingInterval: headersCheckMs },
  });
  if (!(server instanceof Server)) throw new Error("The listener is not plain HTTP");
  const guard = guardConnections(server, { config: given, log });
  const port = await listen(server, given.PORT, given.HOST);
  const config = withPort(given, port);
  try {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o711 });
    const { context, firstStart } = await createModules(config, log);
    const signals = subscribe(context);
    const tasks = startTasks(context);
    startChatWorker(context);
    const streams = startChatStreams(context);
    const metrics = createMetrics(context);
    const loop = watchLoop(log, config.EVENT_LOOP_ALARM_MS);
    loop.onLook = (delay) => metrics.observeLoop(delay);
    const app = await createApp(context, metrics, loop);
    const { METRICS_PORT } = config;
    const metricsDoor =
      METRICS_PORT === undefined
        ? undefined
        : await listenForMetrics({ ...config, METRICS_PORT }, metrics);
    door.fetch = (request, env) => app.fetch(request, env);
    const stop = async () => {
      loop.stop();
      server.close();
      server.closeIdleConnections();
      // Connections that live on may still bring requests.
      door.fetch = () => unavailable("stopping");
      const graceMs = config.SHUTDOWN_GRACE_MS;
      await Promise.all([
        streams.stop(),
        stopRuns(context, graceMs),
        context.chat.worker.stop(graceMs),
      ]);
      await Promise.all(tasks.map((task) => task.stop()));
      await signals?.close();
      context.validation.stop();
      await Promise.all([context.sandbox.stop(), context.builder.stop()]);
      await settleConnections(context);
      await context.outbound.close();
      await context.mailer.close();
      await leaveInOrder(context);
      server.closeAllConnections();
      guard.stop();
      metricsDoor?.stop();
      await context.db.close();
    };
    const isUnowned = !(await hasPeople(context.db));
    return { context, firstStart, isUnowned, metricsPort: metricsDoor?.port, stop };
  } catch (error) {
    server.close();
    throw error;
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function unavailable(state: "starting" | "stopping"): Response {
  const refusal = new ServiceError("unavailable", `The service is ${state}.`, {
    retryAfterSeconds: 1,
  });
  const requestId = newId();
  return toProblemResponse(refusal, requestId);
}
