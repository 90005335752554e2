import { Server } from "node:http";
import { openFilesLimit } from "@toolhost/sandbox";
import { createAdaptorServer } from "@hono/node-server";
import type { HttpBindings } from "@hono/node-server";
import { hasPeople } from "#core/identity";
import { startChatStreams } from "#bot";
import { startInboxWorker } from "#core/chat";
import type { Context } from "#core/context";
import { subscribe } from "#core/runs";
import { createMetrics } from "#metrics";
import { version } from "#version";
import { createAccessLog, createMeter, noAccessLog, openTracing } from "#telemetry";
import { createApp } from "./app.ts";
import { startTasks } from "./background-tasks.ts";
import { openDataFolder } from "./check-data-folder.ts";
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
import { stopService, unavailable } from "./stop-service.ts";
import type { Handler } from "./stop-service.ts";
import { watchLoop } from "./watch-loop.ts";
import { isWeaklyIsolated, weakIsolationWarning } from "./weak-isolation.ts";
import { findUnusedAccount } from "./first-start.ts";
import type { FirstStart } from "./first-start.ts";

/** A running service. */
export type Service = {
  context: Context;
  /** Set only on the first start with an empty embedded database. */
  firstStart: FirstStart | undefined;
  /** The file with the account that the first start created, if no user signed in yet. */
  unusedAccount: string | undefined;
  /** The separate port for metrics, if configured. */
  metricsPort: number | undefined;
  /** Whether the server has no owner yet. The first user to sign up becomes the owner. */
  isUnowned: boolean;
  /** Shuts down gracefully; see `stopService`. */
  stop(signal?: string): Promise<void>;
};

/** How often connections with incomplete headers are checked. */
const headersCheckMs = 2_000;

/** Starts the service: listens on the port, then opens the database, then the sandbox. */
export async function startService(configured: Config): Promise<Service> {
  const { noteContact, ...observability } = await openObservability(configured);
  const { log } = observability;
  const { config: given, warning } = fitOpenFiles(configured, openFilesLimit);
  if (warning !== undefined) log.warn(warning);
  for (const { name, meant } of given.misspelled) {
    log.warn(
      { name, meant },
      "a variable is no setting and was ignored; its name is probably misspelled",
    );
  }
  const handler: Handler = { fetch: (request) => unavailable("starting", request) };
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
    openDataFolder(config.dataDir);
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
    const parts = { server, handler, guard, loop, streams, tasks, signals, metricsServer };
    const stop = (signal?: string) => stopService(context, parts, signal);
    logStart(context);
    const isUnowned = !(await hasPeople(context.db));
    const unusedAccount = await findUnusedAccount(config, context.db);
    const metricsPort = metricsServer?.port;
    return { context, firstStart, unusedAccount, isUnowned, metricsPort, stop };
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Logs what an operator needs to know about this process later. */
function logStart(context: Context): void {
  const { config, db, log, nodeId, cluster, sandbox } = context;
  const { HOST, PORT, FILE_STORAGE: fileStorage } = config;
  const status = sandbox.status();
  const layer = status.ready ? status.layer : `not ready: ${status.problem}`;
  const storage = { database: db.dialect, fileStorage };
  const address = `${HOST}:${PORT}`;
  log.info(
    { version, nodeId, nodes: cluster.size, address, ...storage, sandbox: layer },
    "service started",
  );
  if (isWeaklyIsolated(context)) log.warn({ sandbox: layer }, weakIsolationWarning);
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
  const { log, noteContact } = createOutageLog({
    level: config.LOG_LEVEL,
    format: config.LOG_FORMAT,
    fieldsOfLine: tracing.logFields,
  });
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
