import { rm } from "node:fs/promises";
import { join } from "node:path";
import { packageTypesLimits } from "@toolhost/contract";
import type { PackageTypes, ToolSource } from "@toolhost/contract";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import { sha256 } from "#lib/hash";
import type { Log } from "#lib/log";
import { createBuildQueue } from "./build-queue.ts";
import type { Lane, Owner } from "./build-queue.ts";
import { explainFailure } from "./explain-failure.ts";
import type { BuildOutcome } from "./explain-failure.ts";
import { createRegistry } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { serveBuild } from "./serve-build.ts";
import type { Built } from "./serve-build.ts";
import { createBuildProcessPool } from "./build-process-pool.ts";
import type { BuildProcessPool } from "./build-process-pool.ts";
import { createTarballCache } from "./tarball-cache.ts";
import type { BuildJob, BuildLimits } from "./worker/messages.ts";

/** A tool as the sandbox runs it: one ES module. */
export type Bundle = {
  code: string;
  /** SHA-256 of the code. */
  hash: string;
  /** Source map (version 3) from the bundle to the author's file. */
  sourceMap: string;
};

type BuildListener = (build: { lane: Lane; outcome: BuildOutcome; seconds: number }) => void;

/** The user that a build is for; the signal cancels it. */
export type Requester = Owner & { signal?: AbortSignal | undefined };

/** Builds tools, each in a separate, isolated process that is used once. */
export type Builder = {
  /** Throws `invalid_tool` with file, line and column of each error, `rate_limited` and `unavailable`. */
  bundle(requester: Requester, source: ToolSource): Promise<Bundle>;
  /** The type declarations of the package versions that a build would use. Throws the same errors. */
  readTypes(requester: Requester, dependencies: Record<string, string>): Promise<PackageTypes>;
  /** The newest version of a package; undefined if the registry has none. Throws the same errors. */
  findNewestVersion(requester: Requester, name: string): Promise<string | undefined>;
  /** Finds out how builds can be isolated, which only saves the first one time. */
  prepare(): void;
  stats(): Record<Lane, { running: number; queued: number }>;
  /** Calls a listener after each build. */
  onBuild(listener: BuildListener): void;
  stop(): Promise<void>;
};

const megabyte = 1024 * 1024;
/** Building a tool without packages takes well under a second, unless the code is hostile. */
const plainTimeoutMs = 20_000;
const maxPackages = 1_000;

export function createBuilder(config: Config, log: Log): Builder {
  const folder = join(config.dataDir, "builds");
  const registry = openRegistry(config, join(folder, "packages"));
  const processes = createBuildProcessPool(config, folder, log);
  const queues = createQueues(config);
  const stopping = new AbortController();
  const listeners: BuildListener[] = [];

  const run = async (requester: Requester, job: BuildJob): Promise<Built> => {
    const lane: Lane = Object.keys(job.dependencies).length > 0 ? "packages" : "plain";
    const timeoutMs = lane === "packages" ? config.BUILD_TIMEOUT_MS : plainTimeoutMs;
    const { signal = stopping.signal } = requester;
    const leaving = AbortSignal.any([stopping.signal, signal]);
    const startedAt = performance.now();
    let outcome: BuildOutcome = "built";
    try {
      const leave = await queues[lane].enter(requester, leaving);
      try {
        const resources = { processes, registry, maxDownloadBytes: config.BUILD_MAX_MB * megabyte };
        return await runBuild(resources, job, { lane, leaving, timeoutMs });
      } finally {
        leave();
      }
    } catch (error) {
      const explained = explainFailure(error, { leaving, timeoutMs });
      outcome = explained.outcome;
      throw explained.error;
    } finally {
      const seconds = (performance.now() - startedAt) / 1_000;
      for (const listener of listeners) listener({ lane, outcome, seconds });
    }
  };

  return {
    bundle: async (requester, { dependencies = {}, ...source }) => {
      const job = createJob(config, "bundle", dependencies, source);
      const { code, sourceMap } = requireKind(await run(requester, job), "bundle");
      return { code, hash: sha256(code), sourceMap };
    },
    readTypes: async (requester, dependencies) => {
      const job = createJob(config, "types", dependencies);
      return requireKind(await run(requester, job), "types").types;
    },
    findNewestVersion: async (requester, name) => {
      const job = createJob(config, "newest", { [name]: "latest" });
      return requireKind(await run(requester, job), "newest").version;
    },
    prepare: () => {
      processes.prepare();
      removeOldFolders(config);
    },
    stats: () => ({ packages: queues.packages.stats(), plain: queues.plain.stats() }),
    onBuild: (listener) => void listeners.push(listener),
    stop: async () => {
      stopping.abort(isStopping());
      await Promise.all([processes.stop(), registry.close()]);
    },
  };
}

/** A job; without a source, only packages are read. */
function createJob(
  config: Config,
  kind: BuildJob["kind"],
  dependencies: BuildJob["dependencies"],
  source: BuildJob["source"] = { language: "javascript", code: "" },
): BuildJob {
  return { kind, source, dependencies, limits: limitsOf(config) };
}

function requireKind<Kind extends Built["kind"]>(built: Built, kind: Kind) {
  if (!isOfKind(built, kind)) throw new Error("The build returned the wrong kind of result");
  return built;
}

function isOfKind<Kind extends Built["kind"]>(
  built: Built,
  kind: Kind,
): built is Extract<Built, { kind: Kind }> {
  return built.kind === kind;
}

function openRegistry({ npm, BUILD_CACHE_MAX_MB }: Config, folder: string): Registry {
  return createRegistry(npm, createTarballCache(folder, BUILD_CACHE_MAX_MB * megabyte));
}

function createQueues({ BUILD_SLOTS, WORKSPACE_MAX_QUEUED_BUILDS }: Config) {
  return {
    packages: createBuildQueue(BUILD_SLOTS, WORKSPACE_MAX_QUEUED_BUILDS),
    plain: createBuildQueue(BUILD_SLOTS, WORKSPACE_MAX_QUEUED_BUILDS),
  };
}

function isStopping(): ServiceError {
  return new ServiceError("unavailable", "The service is stopping.", { retryAfterSeconds: 5 });
}

type Resources = { processes: BuildProcessPool; registry: Registry; maxDownloadBytes: number };
type BuildOptions = { lane: Lane; leaving: AbortSignal; timeoutMs: number };

async function runBuild(
  { processes, registry, maxDownloadBytes }: Resources,
  job: BuildJob,
  { lane, leaving, timeoutMs }: BuildOptions,
): Promise<Built> {
  const process = await processes.take(lane);
  try {
    // The timeout does not include the time in the queue.
    const signal = AbortSignal.any([leaving, AbortSignal.timeout(timeoutMs)]);
    return await serveBuild(process, job, { registry, maxDownloadBytes, signal });
  } finally {
    process.kill();
  }
}

function limitsOf(config: Config): BuildLimits {
  return {
    packages: maxPackages,
    files: config.BUILD_MAX_FILES,
    unpackedBytes: config.BUILD_MAX_MB * megabyte,
    bundleBytes: config.BUNDLE_MAX_BYTES,
    types: { ...packageTypesLimits },
  };
}

/** Removes the package folders of earlier versions, which never emptied them. */
function removeOldFolders({ dataDir }: Config): void {
  for (const name of ["npm-cache", "builds/empty"]) {
    rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {});
  }
}
