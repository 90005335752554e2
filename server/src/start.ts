import { mkdirSync } from "node:fs";
import { Server } from "node:http";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import type { HttpBindings } from "@hono/node-server";
import { createOutbound, createSandbox } from "@toolhost/sandbox";
import { createPeople, flushKeyUse, hasPeople } from "#core/access";
import { sealEvents } from "#core/audit";
import { removeOldAttempts, settleConnections } from "#core/connections";
import type { Context } from "#core/context";
import { flushCredentialUse } from "#core/credentials";
import { followKey, openRootSecret } from "#core/encryption";
import { ServiceError } from "#core/errors";
import { createFileStorage, removeStaleIncoming } from "#core/files";
import { createLimits, deleteOldCounts } from "#core/limits";
import { createMailer } from "#core/mail";
import { beat, beatIntervalMs, createCluster, leaveCluster } from "#core/nodes";
import {
  createAuthorizationServer,
  endGrant,
  flushGrantUse,
  removeExpiredRecords,
} from "#core/oauth";
import { createRelay, deleteOldMessages } from "#core/relay";
import { sweep } from "#core/retention";
import {
  createAdmission,
  createChildPlaces,
  createQueueCounts,
  createRunEndings,
  createRunQueue,
  hearSignals,
  obeyCancelRequests,
  stopRuns,
  takeOverForgottenRuns,
  takeOverRuns,
  takeWaitingRuns,
  tellEndedRuns,
} from "#core/runs";
import { createToolIndexes } from "#core/tools";
import { openDatabase } from "#db";
import { systemClock } from "#lib/clock";
import { createEnvelopes } from "#lib/envelope";
import { every } from "#lib/every";
import { newId } from "#lib/ids";
import { createLog } from "#lib/log";
import { createLruMap } from "#lib/lru";
import { createSeal } from "#lib/seal";
import { createSlots } from "#lib/slots";
import { toProblemResponse } from "#rest";
import { createApp } from "./app.ts";
import { withPort } from "./config.ts";
import type { Config } from "./config.ts";
import { readEncryptionKeys } from "./encryption-key.ts";
import { makeFirstStart } from "./first-start.ts";
import type { FirstStart } from "./first-start.ts";

/** A running service. */
export type Service = {
  context: Context;
  /** Undefined but on the first start on an empty embedded database. */
  firstStart: FirstStart | undefined;
  /** Whether nobody owns the server yet: the first to sign up will. */
  isUnowned: boolean;
  /** Stops taking requests, lets runs end for the grace time, and closes everything. */
  stop(): Promise<void>;
};

/** Others' servers that the service itself asks answer shortly, or they are as good as away. */
const outboundTimeoutMs = 15_000;
const outboundMaxBytes = 1024 * 1024;

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** Starts the service: takes the port, then the database, then the sandbox. Throws what stops it. */
export async function startService(given: Config): Promise<Service> {
  const log = createLog(given.LOG_LEVEL);
  const door: { fetch: Fetch } = { fetch: () => unavailable("starting") };
  const server = createAdaptorServer({
    fetch: (request: Request, env) => door.fetch(request, env as HttpBindings),
    overrideGlobalObjects: false,
  });
  if (!(server instanceof Server)) throw new Error("The listener is not plain HTTP");
  // Longer than load balancers keep idle connections, so that none sends a request into one that we just closed.
  server.keepAliveTimeout = 75_000;
  // A large file may take its time; what sends no headers is still cut off after a minute.
  server.requestTimeout = 3_600_000;
  const port = await listen(server, given.PORT, given.HOST);
  const config = withPort(given, port);
  try {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o711 });
    const { context, firstStart } = await createContext(config, log);
    const signals = hearSignals(context);
    const tasks = startTasks(context);
    const app = createApp(context);
    door.fetch = (request, env) => app.fetch(request, env);
    const stop = async () => {
      server.close();
      server.closeIdleConnections();
      // Connections that live on may still bring requests.
      door.fetch = () => unavailable("stopping");
      await stopRuns(context, config.SHUTDOWN_GRACE_MS);
      await Promise.all(tasks.map((task) => task.stop()));
      await signals?.close();
      await context.sandbox.stop();
      await settleConnections(context);
      await context.outbound.close();
      await context.mailer.close();
      await leaveInOrder(context);
      server.closeAllConnections();
      await context.db.close();
    };
    const isUnowned = !(await hasPeople(context.db));
    return { context, firstStart, isUnowned, stop };
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Writes what is better written now; what cannot be, others or the next start make good. */
async function leaveInOrder(context: Context): Promise<void> {
  const steps = [
    () => flushKeyUse(context),
    () => flushCredentialUse(context),
    () => flushGrantUse(context),
    () => sealEvents(context.db),
    () => context.limits.stop(),
    () => leaveCluster(context),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      context.log.warn({ err: error }, "the service could not write all it wanted before its end");
    }
  }
}

async function createContext(config: Config, log: Context["log"]) {
  const { database: db, prepared } = await openDatabase(
    config,
    (error) => log.error({ err: error }, "a database connection broke"),
    // Only once the folder is ours: two starts must make neither two keys nor two owners.
    async () => {
      const keys = await readEncryptionKeys(config);
      return { envelopes: createEnvelopes(...keys), firstStart: await makeFirstStart(config, log) };
    },
  );
  const { envelopes, firstStart } = prepared;
  const rootSecret = await openRootSecret(db, envelopes, log);
  const sandbox = await createSandbox({
    runtimeDir: join(config.dataDir, "sandbox"),
    isolation: config.SANDBOX_ISOLATION,
    allowWeakerIsolation: config.isLoopback && config.DATABASE_URL === undefined,
    maxProcesses: config.SANDBOX_MAX_PROCESSES,
    childProcesses: config.RUN_CHILD_DEPTH === 0 ? 0 : config.SANDBOX_CHILD_PROCESSES,
    idleProcesses: config.SANDBOX_IDLE_PROCESSES,
    maxMemoryBytes: config.RUN_MAX_MEMORY_MB * 1024 * 1024,
    maxRunsPerProcess: config.SANDBOX_MAX_RUNS_PER_PROCESS,
    maxProcessAgeMs: config.SANDBOX_MAX_PROCESS_AGE_MS,
    egress: { ownPort: config.PORT },
    // What it says when all is well is in the lines that the start prints.
    log: (level, message, fields) =>
      log[level === "info" ? "debug" : level](fields ?? {}, `sandbox: ${message}`),
  });
  const outbound = openOutbound(config);
  const mailer = createMailer(config, log);
  const queue = createRunQueue();
  const context: Context = {
    config,
    db,
    clock: systemClock,
    log,
    sandbox,
    people: createPeople({ db, config, rootSecret, log, mailer }),
    mailer,
    nodeId: newId(),
    keyUse: new Map(),
    credentialUse: new Map(),
    grantUse: new Map(),
    outbound,
    authorizationServer: createAuthorizationServer({
      config,
      db,
      clock: { now: () => context.clock.now() },
      log,
      rootSecret,
      outbound: { fetch: (url, request) => context.outbound.fetch(url, request) },
      onGrantEnd: (grantId, reason) => endGrant(context, grantId, reason),
    }),
    runnableTools: createLruMap(500),
    toolIndexes: createToolIndexes(),
    buildSlots: createSlots(Math.max(1, Math.min(4, availableParallelism() - 1))),
    limits: createLimits({ config, db }),
    admission: createAdmission({
      perWorkspace: config.WORKSPACE_MAX_CONCURRENT_RUNS,
      perNode: config.NODE_MAX_CONCURRENT_RUNS ?? config.SANDBOX_MAX_PROCESSES,
      // A run that ends on a service where nothing waits costs no look at the queue.
      onLeave: () => {
        if (!queue.isEmpty()) queue.kick();
      },
    }),
    childPlaces: createChildPlaces({
      places: config.SANDBOX_CHILD_PROCESSES,
      depths: config.RUN_CHILD_DEPTH,
    }),
    queue,
    queueCounts: createQueueCounts(),
    activeRuns: new Map(),
    endings: createRunEndings(),
    openStreams: new Map(),
    cluster: createCluster(),
    relay: createRelay(),
    envelopes,
    renewals: new Map(),
    revocations: new Set(),
    fileStorage: await createFileStorage(config, log),
    answerSeal: createSeal(rootSecret, "kept answers"),
  };
  await keepAlive(context);
  // The folder is this process's alone, so no upload that is in it still goes on.
  if (db.dialect === "sqlite") await removeStaleIncoming(context, 0);
  return { context, firstStart };
}

function openOutbound(config: Config) {
  return createOutbound({
    ownPort: config.PORT,
    privateHosts: config.EGRESS_PRIVATE_HOSTS,
    connectMs: config.EGRESS_CONNECT_TIMEOUT_MS,
    totalMs: outboundTimeoutMs,
    maxAnswerBytes: outboundMaxBytes,
  });
}

/** Says that this node lives, and sees to the runs of those that no longer do. */
async function keepAlive(context: Context): Promise<void> {
  const live = await beat(context);
  if (live !== undefined) await takeOverRuns(context, live);
}

/** What goes on beside the requests. */
function startTasks(context: Context) {
  const { config, db, log, queue } = context;
  const task = (name: string, pauseMs: number, work: (signal: AbortSignal) => Promise<unknown>) =>
    every(pauseMs, work, (error) => log.error({ err: error }, `${name} failed`));
  queue.start(
    () => takeWaitingRuns(context),
    (error) => log.error({ err: error }, "taking waiting runs failed"),
  );
  queue.kick();
  return [
    task("sealing the audit trail", config.AUDIT_SEAL_INTERVAL_MS, () => sealEvents(db)),
    task("writing the use of keys", 10_000, () => flushKeyUse(context)),
    task("writing the use of credentials", 10_000, () => flushCredentialUse(context)),
    task("writing the use of apps", 10_000, () => flushGrantUse(context)),
    task("deleting old sign-ins of apps", 300_000, (signal) =>
      removeExpiredRecords(context, signal),
    ),
    task("seeing to forgotten runs", 5_000, () => takeOverForgottenRuns(context)),
    task("deleting old counts", 300_000, () => deleteOldCounts(db)),
    task("deleting broken uploads", 60_000, () => removeStaleIncoming(context, 3_600_000)),
    task("deleting broken sign-ins at providers", 300_000, () => removeOldAttempts(context)),
    task("deleting old data", 60_000, (signal) => sweep(context, signal)),
    task("the heartbeat", beatIntervalMs, () => keepAlive(context)),
    task("following the encryption key", beatIntervalMs, () => followKey(db, context.envelopes)),
    ...(db.dialect === "sqlite"
      ? []
      : [
          // Messages between nodes may be lost, so each node also looks.
          task("looking for cancelled runs", 500, () => obeyCancelRequests(context)),
          task("looking for ended runs", 500, () => tellEndedRuns(context)),
          task("looking for waiting runs", 1_000, async () => queue.kick()),
          task("deleting relayed messages", 60_000, () => deleteOldMessages(context)),
        ]),
  ];
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
