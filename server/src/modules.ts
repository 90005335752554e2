import { join } from "node:path";
import { createOutbound, createSandbox } from "@toolhost/sandbox";
import type { Sandbox } from "@toolhost/sandbox";
import { chatPlatforms } from "#bot";
import { createBuilder } from "#core/builds";
import { createCatalogState } from "#core/catalog";
import type { CatalogContext } from "#core/catalog";
import { createChat } from "#core/chat";
import type { Context } from "#core/context";
import { checkSharedFolder, createFileStorage, removeStaleIncoming } from "#core/files";
import type { FilesContext } from "#core/files";
import { createImportsState } from "#core/imports";
import type { ImportsContext } from "#core/imports";
import { createAuthorizationServer, createPeople, endGrant } from "#core/identity";
import type { IdentityContext } from "#core/identity";
import { createCluster, createLastUsed, createMailer } from "#core/kernel";
import type { NodeContext } from "#core/kernel";
import { createConcurrencyLimits, createLimits } from "#core/limits";
import type { LimitsContext } from "#core/limits";
import { createRunsState } from "#core/runs";
import type { RunsContext } from "#core/runs";
import { createStatsState } from "#core/stats";
import { createValidation } from "#core/validation";
import type { Validation } from "#core/validation";
import { createVaultState, findRequiredKeyId, openRootSecret } from "#core/vault";
import type { VaultContext } from "#core/vault";
import { createWebhooksState } from "#core/webhooks";
import { lockDataFolder, openDatabase } from "#db";
import { systemClock } from "#lib/clock";
import { createEnvelopes } from "#lib/envelope";
import { newId } from "#lib/ids";
import type { Log } from "#lib/log";
import { createSeal } from "#lib/seal";
import { observeStatements } from "#telemetry";
import type { AccessLog, Meter, Tracing } from "#telemetry";
import { keepAlive } from "./background-tasks.ts";
import type { Config } from "./config.ts";
import { sandboxBytes } from "./config-sizes.ts";
import { configuredKeys, isKeyExposed, keyFiles, readEncryptionKeys } from "./encryption-key.ts";
import { makeFirstStart } from "./first-start.ts";

/** Timeout and response size of the service's own requests to other servers. */
const outboundTimeoutMs = 15_000;
const outboundMaxBytes = 1024 * 1024;

/** What reports on the modules, and exists before them. */
export type Observability = { log: Log; tracing: Tracing; meter: Meter; accessLog: AccessLog };

/**
 * Opens the database and creates the modules of the core, each from those on lower floors. `firstStart` is what a first start on
 * an empty embedded database created. A simulation of many nodes on one machine passes a sandbox without processes.
 */
export async function createModules(
  config: Config,
  observability: Observability,
  sandboxOf: typeof openSandbox = openSandbox,
) {
  const { log } = observability;
  const validation = openValidation(config);
  const storage = await openStorage(config, observability, validation);
  const { db, envelopes, rootSecret, firstStart } = storage;

  const kernel: NodeContext = {
    config,
    ...observability,
    db,
    clock: { ...systemClock },
    nodeId: newId(),
    cluster: createCluster(),
    mailer: createMailer(config, log),
    envelopes,
    responseSeal: createSeal(rootSecret, "kept answers"),
    servedKeys: new Set(),
    lastUsed: createLastUsed(db),
  };
  const limits: LimitsContext = {
    ...kernel,
    limits: createLimits({ config, db }),
    concurrency: createConcurrencyLimits(config),
  };
  const outbound = openOutbound(config);
  const identity = createIdentity(limits, { rootSecret, outbound });
  const catalog: CatalogContext = {
    ...limits,
    validation,
    builder: createBuilder(config, log),
    catalog: createCatalogState(kernel),
  };
  const fileStorage = await createFileStorage(config, log);
  const linkSeal = createSeal(rootSecret, "download links");
  const files: FilesContext = { ...limits, fileStorage, linkSeal, outbound };
  const vault: VaultContext = { ...catalog, ...identity, outbound, vault: createVaultState() };
  const runsState = createRunsState(config);
  const runs: RunsContext = {
    ...vault,
    ...files,
    webhooks: createWebhooksState(),
    sandbox: await sandboxOf(config, log, () => runsState.queue.wake()),
    runs: runsState,
  };
  const imports: ImportsContext = { ...runs, imports: createImportsState(config, validation) };
  const chat = createChat(config, chatPlatforms);
  const context: Context = { ...imports, stats: createStatsState(), chat };

  await joinCluster(context);
  return { context, firstStart };
}

/** Makes this node known, once all modules exist. */
async function joinCluster(context: Context): Promise<void> {
  await keepAlive(context);
  const warning = await checkSharedFolder(context);
  if (warning !== undefined) context.log.warn(warning);
  // This process owns the data folder, so all incomplete uploads are from before the restart.
  if (context.db.dialect === "sqlite") await removeStaleIncoming(context, 0);
}

/** Users and their sessions, and the OAuth server. */
function createIdentity(
  limits: LimitsContext,
  { rootSecret, outbound }: { rootSecret: Buffer; outbound: ReturnType<typeof openOutbound> },
): IdentityContext {
  return {
    ...limits,
    people: createPeople({ ...limits, rootSecret }),
    authorizationServer: createAuthorizationServer({
      ...limits,
      rootSecret,
      outbound,
      onGrantEnd: (grantId, reason) => endGrant(limits, grantId, reason),
    }),
  };
}

/** Opens the database and what is encrypted in it, and runs the first start if there is no database yet. */
async function openStorage(
  config: Config,
  { log, tracing, meter }: Observability,
  validation: Validation,
) {
  const isEmbedded = config.DATABASE_URL === undefined;
  const system = isEmbedded ? "sqlite" : "postgresql";
  // A second node would replace the sockets of this one's sandbox. An embedded database locks its folder itself.
  const lock = isEmbedded ? undefined : await lockDataFolder(config.dataDir);
  const { database, prepared: firstStart } = await openDatabase(
    {
      ...config,
      observe: observeStatements({ tracing, meter }, system),
      onConnection: (waitMs) => meter.connectionTaken(waitMs),
    },
    (error) => log.error({ err: error }, "database connection failed"),
    // Runs with the lock on the data folder, so that concurrent starts cannot create two owners.
    () => makeFirstStart(config, log, validation),
  );
  const close = async () => {
    await database.close();
    lock?.release();
  };
  const db = { ...database, close };
  try {
    const keys = await readEncryptionKeys(config, await findRequiredKeyId(db));
    if (!isEmbedded && configuredKeys(config) === undefined) {
      const { file } = keyFiles(config);
      log.warn({ file }, "the only copy of the encryption key is on this node: set ENCRYPTION_KEY");
    }
    if (await isKeyExposed(config)) {
      const { file } = keyFiles(config);
      log.warn({ file }, "other users can read the encryption key: set the file's mode to 0600");
    }
    const envelopes = createEnvelopes(...keys);
    return { db, envelopes, rootSecret: await openRootSecret(db, envelopes, log), firstStart };
  } catch (error) {
    await db.close();
    throw error;
  }
}

function openSandbox(config: Config, log: Log, onRecovery: () => void): Promise<Sandbox> {
  const { SANDBOX_MAX_PROCESSES, SANDBOX_CHILD_PROCESSES, BUILD_SLOTS, memoryBytes } = config;
  const sizes = { SANDBOX_MAX_PROCESSES, SANDBOX_CHILD_PROCESSES, BUILD_SLOTS };
  log.info({ memoryBytes, ...sizes }, "sized for the available memory");
  return createSandbox({
    runtimeDir: join(config.dataDir, "sandbox"),
    isolation: config.SANDBOX_ISOLATION,
    allowWeakerIsolation: config.isLoopback && config.DATABASE_URL === undefined,
    maxProcesses: SANDBOX_MAX_PROCESSES,
    childProcesses: config.RUN_CHILD_DEPTH === 0 ? 0 : SANDBOX_CHILD_PROCESSES,
    idleProcesses: config.SANDBOX_IDLE_PROCESSES,
    idleTimeoutMs: config.SANDBOX_IDLE_TIMEOUT_MS,
    memoryBytes: sandboxBytes(memoryBytes),
    maxMemoryBytes: config.RUN_MAX_MEMORY_MB * 1024 * 1024,
    maxRunsPerProcess: config.SANDBOX_MAX_RUNS_PER_PROCESS,
    maxProcessAgeMs: config.SANDBOX_MAX_PROCESS_AGE_MS,
    egress: { ownPort: config.PORT, http2Hosts: config.EGRESS_HTTP2_HOSTS },
    // The start-up output already contains what the sandbox logs at level info.
    log: (level, message, fields) =>
      log[level === "info" ? "debug" : level](fields ?? {}, `sandbox: ${message}`),
    onRecovery,
  });
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
