import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createJail, shippedProgram } from "@toolhost/sandbox";
import type { Jail, JailProcess } from "@toolhost/sandbox";
import type { Config } from "#config";

const megabyte = 1024 * 1024;

/** Fixes the number of Go and V8 threads, which otherwise depends on the number of cores. */
const environment = { GOMAXPROCS: "2", UV_THREADPOOL_SIZE: "2" };
const nodeFlags = ["--max-old-space-size=640", "--v8-pool-size=1"];

/** Selects an isolation layer for builds and starts the first process in it. Throws `JailUnavailableError`. */
export async function openBuildJail(
  config: Config,
  folder: string,
): Promise<{ jail: Jail; first: JailProcess }> {
  await mkdir(folder, { recursive: true, mode: 0o711 });
  // Earlier versions created it with mode 0700, but builds may run as another user.
  await chmod(folder, 0o711);
  return createJail({
    runtimeDir: join(folder, "jail"),
    isolation: config.SANDBOX_ISOLATION,
    script: await loadWorker(),
    programs: { ESBUILD_BINARY_PATH: shippedProgram("esbuild") },
    nodeFlags,
    environment,
    limits: {
      memoryBytes: 1024 * megabyte,
      cpuSeconds: Math.ceil(Math.min(60_000, config.BUILD_TIMEOUT_MS) / 1_000),
      // Small files occupy whole pages.
      folderBytes: 2 * config.BUILD_MAX_MB * megabyte,
      maxProcesses: 64,
    },
    untilReady: ({ output }) => {
      // The first message signals readiness; its bytes stay in the stream for the reader of the messages.
      return new Promise<void>((resolve) => {
        output.once("readable", () => {
          if (output.readableLength > 0) resolve();
        });
      });
    },
  });
}

let worker: Promise<string> | undefined;

/** The code of the build process. In the bundled service, it is part of the bundle. */
function loadWorker(): Promise<string> {
  worker ??= import("./bundle-worker.ts").then(({ bundleWorker }) => bundleWorker());
  return worker;
}
