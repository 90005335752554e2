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
  /** Starts the first process. The others follow with the first build, because many services never build. */
  warmUp(): void;
  stop(): Promise<void>;
};

const poolSize = 2;

export function createBuildProcessPool(config: Config, folder: string, log: Log): BuildProcessPool {
  const ready: Promise<JailProcess>[] = [];
  const alive = new Set<JailProcess>();
  let opening: Promise<Jail> | undefined;
  const stopping = new AbortController();

  const open = async (): Promise<Jail> => {
    const { jail, first } = await openBuildJail(config, folder);
    const { layer, advice } = jail;
    log.debug({ layer }, "builds are ready");
    if (layer === "process" && !config.isLoopback) {
      log.warn(
        { advice },
        "tools with npm packages cannot be built without bubblewrap or namespaces",
      );
    }
    add(Promise.resolve(first));
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

  const refill = (jail: Jail): void => {
    while (!stopping.signal.aborted && ready.length < poolSize) add(jail.start());
  };

  return {
    take: async (lane) => {
      const jail = await getJail();
      if (lane === "packages" && jail.layer === "process" && !config.isLoopback)
        throw noPackages(jail);
      const spare = await ready.shift()?.catch(() => undefined);
      refill(jail);
      if (spare?.hasExited() === false) return spare;
      const started = await jail.start();
      watch(started);
      return started;
    },
    warmUp: () => void getJail().catch(() => {}),
    stop: async () => {
      stopping.abort();
      await opening?.catch(() => {});
      await Promise.allSettled(ready);
      for (const process of alive) process.kill();
      await Promise.all([...alive].map(({ exited }) => exited));
    },
  };
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
