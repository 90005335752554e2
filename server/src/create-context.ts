import { join } from "node:path";
import { createOutbound, createSandbox } from "@toolhost/sandbox";
import type { Sandbox } from "@toolhost/sandbox";
import { createChatPlatforms } from "#bot";
import { createAuthorizationServer, createPeople, endGrant } from "#core/identity";
import { createBuilder } from "#core/builds";
import { createChat, createResponder } from "#core/chat";
import type { Context } from "#core/context";
import { openRootSecret } from "#core/vault";
import { createFileStorage, removeStaleIncoming } from "#core/files";
import { createHolds, createLimits } from "#core/limits";
import { createCluster, createMailer } from "#core/kernel";
import type { AuthorizationServer } from "#core/identity";
import {
  createAdmission,
  createChildPlaces,
  createQueueCounts,
  createRelay,
  createRunBytes,
  createRunEndings,
  createRunQueue,
} from "#core/runs";
import type { Admission, ChildPlaces, RunQueue } from "#core/runs";
import { createToolIndexes, runnableSize } from "#core/catalog";
import { createValidation } from "#core/validation";
import type { Validation } from "#core/validation";
import { openDatabase } from "#db";
import type { Database } from "#db";
import { systemClock } from "#lib/clock";
import { createEnvelopes } from "#lib/envelope";
import { newId } from "#lib/ids";
import type { Log } from "#lib/log";
import { createLruMap } from "#lib/lru";
import { createSeal } from "#lib/seal";
import { keepAlive } from "./background-tasks.ts";
import type { Config } from "./config.ts";
import { readEncryptionKeys } from "./encryption-key.ts";
import { makeFirstStart } from "./first-start.ts";

/** What versions of tools that are ready to run take of memory. */
const maxRunnableBytes = 256 * 1024 * 1024;
/** Others' servers that the service itself asks answer shortly, or they are as good as away. */
const outboundTimeoutMs = 15_000;
const outboundMaxBytes = 1024 * 1024;

/**
 * Opens the database, first of all where it is a folder that must be ours, then makes what the core works with.
 * `firstStart` is what a first start on an empty embedded database made.
 */
export async function createContext(config: Config, log: Log) {
  const validation = openValidation(config);
  const { database: db, prepared } = await openDatabase(
    config,
    (error) => log.error({ err: error }, "a database connection broke"),
    // Only once the folder is ours: two starts must make neither two keys nor two owners.
    async () => {
      const keys = await readEncryptionKeys(config);
      return {
        envelopes: createEnvelopes(...keys),
        firstStart: await makeFirstStart(config, log, validation),
      };
    },
  );
  const { envelopes, firstStart } = prepared;
  const rootSecret = await openRootSecret(db, envelopes, log);
  const mailer = createMailer(config, log);
  const queue = createRunQueue();
  const context: Context = {
    config,
    db,
    clock: systemClock,
    log,
    sandbox: await openSandbox(config, log),
    people: createPeople({ db, config, rootSecret, log, mailer }),
    mailer,
    nodeId: newId(),
    keyUse: new Map(),
    credentialUse: new Map(),
    grantUse: new Map(),
    outbound: openOutbound(config),
    authorizationServer: openAuthorizationServer(config, db, log, rootSecret, () => context),
    runnableTools: createLruMap(500, { max: maxRunnableBytes, of: runnableSize }),
    toolIndexes: createToolIndexes(),
    validation,
    builder: createBuilder(config, log),
    // Megabytes each.
    packageTypes: createLruMap(6),
    limits: createLimits({ config, db }),
    admission: openAdmission(config, queue),
    childPlaces: openChildPlaces(config),
    queue,
    queueCounts: createQueueCounts(),
    runBytes: createRunBytes(),
    activeRuns: new Map(),
    endings: createRunEndings(),
    holds: createHolds(config),
    cluster: createCluster(),
    relay: createRelay(),
    envelopes,
    renewals: new Map(),
    revocations: new Set(),
    chat: createChat({ ...createChatPlatforms(config), responder: createResponder(config) }),
    fileStorage: await createFileStorage(config, log),
    answerSeal: createSeal(rootSecret, "kept answers"),
  };
  await keepAlive(context);
  // The folder is this process's alone, so no upload that is in it still goes on.
  if (db.dialect === "sqlite") await removeStaleIncoming(context, 0);
  return { context, firstStart };
}

function openSandbox(config: Config, log: Log): Promise<Sandbox> {
  return createSandbox({
    runtimeDir: join(config.dataDir, "sandbox"),
    isolation: config.SANDBOX_ISOLATION,
    allowWeakerIsolation: config.isLoopback && config.DATABASE_URL === undefined,
    maxProcesses: config.SANDBOX_MAX_PROCESSES,
    childProcesses: config.RUN_CHILD_DEPTH === 0 ? 0 : config.SANDBOX_CHILD_PROCESSES,
    idleProcesses: config.SANDBOX_IDLE_PROCESSES,
    maxMemoryBytes: config.RUN_MAX_MEMORY_MB * 1024 * 1024,
    maxRunsPerProcess: config.SANDBOX_MAX_RUNS_PER_PROCESS,
    maxProcessAgeMs: config.SANDBOX_MAX_PROCESS_AGE_MS,
    egress: { ownPort: config.PORT, http2Hosts: config.EGRESS_HTTP2_HOSTS },
    // What it says when all is well is in the lines that the start prints.
    log: (level, message, fields) =>
      log[level === "info" ? "debug" : level](fields ?? {}, `sandbox: ${message}`),
  });
}

/** What the server needs of the context is asked for later, when there is one. */
function openAuthorizationServer(
  config: Config,
  db: Database,
  log: Log,
  rootSecret: Buffer,
  context: () => Context,
): AuthorizationServer {
  return createAuthorizationServer({
    config,
    db,
    clock: { now: () => context().clock.now() },
    log,
    rootSecret,
    outbound: { fetch: (url, request) => context().outbound.fetch(url, request) },
    onGrantEnd: (grantId, reason) => endGrant(context(), grantId, reason),
  });
}

function openAdmission(config: Config, queue: RunQueue): Admission {
  return createAdmission({
    perWorkspace: config.WORKSPACE_MAX_CONCURRENT_RUNS,
    perNode: config.NODE_MAX_CONCURRENT_RUNS ?? config.SANDBOX_MAX_PROCESSES,
    // A run that ends on a service where nothing waits costs no look at the queue.
    onLeave: () => {
      if (!queue.isEmpty()) queue.kick();
    },
  });
}

function openChildPlaces(config: Config): ChildPlaces {
  const { SANDBOX_CHILD_PROCESSES: places, RUN_CHILD_DEPTH: depths } = config;
  return createChildPlaces({ places, depths });
}

function openValidation(config: Config): Validation {
  return createValidation({
    size: config.WORKER_PROCESSES,
    jobCpuMs: config.WORKER_JOB_CPU_MS,
    cpuMsPerMinute: config.WORKSPACE_WORKER_CPU_MS_PER_MINUTE,
  });
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
