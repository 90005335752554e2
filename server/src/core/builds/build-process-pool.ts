import { JailUnavailableError } from "@toolhost/sandbox";
import type { Jail, JailProcess } from "@toolhost/sandbox";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import type { Log } from "#lib/log";
import { openBuildJail } from "./build-jail.ts";
import type { Lane } from "./build-queue.ts";

/** A pool of processes for builds, started in advance since starting one takes longer than most builds. */
export type BuildProcessPool = {
  /** Returns a process for one build. Throws `unavailable` if none can be started. */
  take(lane: Lane): Promise<JailProcess>;
  /** Finds out how processes can be started, which takes longer than starting one. */
  prepare(): void;
  stop(): Promise<void>;
};

const poolSize = 2;
/** How long processes wait for another build. Each takes 17 to 34 MB. */
const defaultIdleMs = 60_000;

export function createBuildProcessPool(
  config: Config,
  folder: string,
  log: Log,
  idleMs = defaultIdleMs,
): BuildProcessPool {
  const processes = createReadyProcesses();
  let opening: Promise<Jail> | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let isUsed = false;

  const open = async (): Promise<Jail> => {
    const { jail, first } = await openBuildJail(config, folder);
    logLayer(jail, config, log);
    processes.add(Promise.resolve(first));
    if (!isUsed) processes.endReady();
    return jail;
  };

  const getJail = (): Promise<Jail> => {
    opening ??= open().catch((error: unknown) => {
      // The next attempt may succeed after the operator installs a layer.
      opening = undefined;
      throw explain(error, log);
    });
    return opening;
  };

  return {
    take: async (lane) => {
      isUsed = true;
      const jail = await getJail();
      clearTimeout(idleTimer);
      idleTimer = setTimeout(processes.endReady, idleMs).unref();
      if (lane === "packages" && jail.layer === "process" && !config.isLoopback)
        throw noPackages(jail);
      return processes.take(jail);
    },
    prepare: () => void getJail().catch(() => {}),
    stop: async () => {
      processes.refuse();
      clearTimeout(idleTimer);
      await opening?.catch(() => {});
      await processes.stop();
    },
  };
}

/** Processes that wait for their build, and those that have not exited. */
function createReadyProcesses() {
  const ready: Promise<JailProcess>[] = [];
  const alive = new Set<JailProcess>();
  const stopping = new AbortController();

  const add = (process: Promise<JailProcess>): void => {
    ready.push(process);
    // A failed start is handled when the process is taken.
    process.then(watch, () => {});
  };

  const watch = (process: JailProcess): void => {
    if (stopping.signal.aborted) process.kill();
    alive.add(process);
    void process.exited.then(() => alive.delete(process));
  };

  return {
    add,
    /** Returns a process that is ready or starts one, and starts others in advance. */
    take: async (jail: Jail): Promise<JailProcess> => {
      const spare = await ready.shift()?.catch(() => undefined);
      while (!stopping.signal.aborted && ready.length < poolSize) add(jail.start());
      if (spare?.hasExited() === false) return spare;
      const started = await jail.start();
      watch(started);
      return started;
    },
    endReady: () => void ready.splice(0).map(endStarted),
    /** Kills processes that start from now on. */
    refuse: () => stopping.abort(),
    stop: async () => {
      await Promise.allSettled(ready);
      for (const process of alive) process.kill();
      await Promise.all([...alive].map(({ exited }) => exited));
    },
  };
}

async function endStarted(start: Promise<JailProcess>): Promise<void> {
  const process = await start.catch(() => undefined);
  process?.kill();
}

function logLayer({ layer, advice }: Jail, config: Config, log: Log): void {
  log.debug({ layer }, "builds are ready");
  if (layer === "process" && !config.isLoopback) {
    log.warn(
      { advice },
      "tools with npm packages cannot be built without bubblewrap or namespaces",
    );
  }
}

function explain(error: unknown, log: Log): unknown {
  if (!(error instanceof JailUnavailableError)) return error;
  log.error({ problem: error.message }, "tools cannot be built");
  const message = "This server cannot build tools. See the server log for what to install.";
  return new ServiceError("unavailable", message, { retryAfterSeconds: 60, cause: error });
}

function noPackages({ advice }: Jail): ServiceError {
  const message =
    "This server cannot build tools with npm packages: builds are not isolated, and the server is reachable from other machines.";
  return new ServiceError(
    "unavailable",
    `${message} ${advice ?? "Install bubblewrap and set SANDBOX_ISOLATION=auto."}`,
    {
      retryAfterSeconds: 60,
    },
  );
}
