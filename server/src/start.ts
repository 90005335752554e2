import { mkdirSync } from "node:fs";
import { Server } from "node:http";
import { openFilesLimit } from "@toolhost/sandbox";
import { createAdaptorServer } from "@hono/node-server";
import type { HttpBindings } from "@hono/node-server";
import { hasPeople } from "#core/identity";
import { startChatStreams } from "#bot";
import { startInboxWorker } from "#core/chat";
import { drainConnections } from "#core/vault";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { stopRuns, subscribe } from "#core/runs";
import { newId } from "#lib/ids";
import { createMetrics } from "#metrics";
import { toProblemResponse } from "#rest";
import { createAccessLog, createMeter, noAccessLog, openTracing } from "#telemetry";
import { createApp } from "./app.ts";
import { leaveInOrder, startTasks } from "./background-tasks.ts";
import { guardConnections } from "./connection-guard.ts";
import { fitOpenFiles } from "./fit-open-files.ts";
import { listenForMetrics } from "./serve-metrics.ts";
import { withPort } from "./config.ts";
import type { Config } from "./config.ts";
import { createModules } from "./modules.ts";
import type { Observability } from "./modules.ts";
import { createOutageLog } from "./outage-log.ts";
import type { OutageLog } from "./outage-log.ts";
import { watchReadiness } from "./readiness.ts";
import { watchLoop } from "./watch-loop.ts";
import type { FirstStart } from "./first-start.ts";

/** A running service. */
export type Service = {
  context: Context;
  /** Set only on the first start with an empty embedded database. */
  firstStart: FirstStart | undefined;
  /** The separate port for metrics, if configured. */
  metricsPort: number | undefined;
  /** Whether the server has no owner yet. The first user to sign up becomes the owner. */
  isUnowned: boolean;
  /** Shuts down gracefully: stops accepting requests, waits for runs during the grace period, and closes everything. */
  stop(): Promise<void>;
};

/** How often connections with incomplete headers are checked. */
const headersCheckMs = 2_000;

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** Starts the service: listens on the port, then opens the database, then the sandbox. */
export async function startService(configured: Config): Promise<Service> {
  const { noteContact, ...observability } = await openObservability(configured);
  const { log, tracing } = observability;
  const { config: given, warning } = fitOpenFiles(configured, openFilesLimit);
  if (warning !== undefined) log.warn(warning);
  const handler: { fetch: Fetch } = { fetch: () => unavailable("starting") };
  const server = createAdaptorServer({
    fetch: (request: Request, env) => handler.fetch(request, env as HttpBindings),
    overrideGlobalObjects: false,
    serverOptions: { connectionsCheckingInterval: headersCheckMs },
  });
  if (!(server instanceof Server)) throw new Error("The server is not a plain HTTP server");
  const guard = guardConnections(server, { config: given, log });
  const port = await listen(server, given.PORT, given.HOST);
  const config = withPort(given, port);
  try {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o711 });
    const { context, firstStart } = await createModules(config, observability);
    const signals = subscribe(context);
    const readiness = watchReadiness(context);
    const tasks = [readiness, ...startTasks(context, noteContact)];
    startInboxWorker(context);
    const streams = startChatStreams(context);
    const metrics = createMetrics(context, readiness.read);
    const loop = watchLoop(log, config.EVENT_LOOP_ALARM_MS);
    loop.onSample = (delay) => metrics.observeLoop(delay);
    const app = await createApp(context, { metrics, loop, readiness });
    const metricsServer = await listenForMetrics(config, metrics);
    handler.fetch = (request, env) => app.fetch(request, env);
    const stop = async () => {
      loop.stop();
      server.close();
      server.closeIdleConnections();
      // Open connections may still send requests.
      handler.fetch = () => unavailable("stopping");
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
      await drainConnections(context);
      await context.outbound.close();
      await context.mailer.close();
      await leaveInOrder(context);
      server.closeAllConnections();
      guard.stop();
      metricsServer?.stop();
      await Promise.all([context.db.close(), tracing.stop()]);
    };
    const isUnowned = !(await hasPeople(context.db));
    return { context, firstStart, isUnowned, metricsPort: metricsServer?.port, stop };
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Log lines name the active span, and outages of the collector are logged. */
async function openObservability(
  config: Config,
): Promise<Observability & Pick<OutageLog, "noteContact">> {
  const tracing = await openTracing(config.tracing, (event) => {
    const { state, ...details } = event;
    if (state === "recovered") log.info(details, "the collector accepts traces again");
    else log.warn(details, "cannot send traces to the collector; spans are lost meanwhile");
  });
  const { log, noteContact } = createOutageLog(config.LOG_LEVEL, tracing.logFields);
  const accessLog = config.ACCESS_LOG ? createAccessLog(log) : noAccessLog;
  return { log, noteContact, tracing, meter: createMeter(), accessLog };
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
