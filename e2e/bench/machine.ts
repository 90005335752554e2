import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus, loadavg, release } from "node:os";
import { join } from "node:path";
import { median } from "./load.ts";
import { textField } from "./json.ts";

/** The machine, on which the results depend. */
export type Machine = {
  cores: number;
  processor: string;
  kernel: string;
  node: string;
  workerd: string;
  /** The load average of the last minute before the benchmark: other work on the machine. */
  loadAverage: number;
  /** How long the disk takes to sync 4 KiB, which every commit of the embedded database waits for. */
  diskSyncMs: number;
};

/** Describes this machine, the disk of `folder`, and the version of workerd. */
export function describeMachine(folder: string): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? "unknown",
    kernel: release(),
    node: process.version,
    workerd: versionForSandbox("workerd"),
    loadAverage: loadavg()[0] ?? Number.NaN,
    diskSyncMs: timeDiskSync(join(folder, "disk-sync")),
  };
}

/** The version of one of the sandbox's dependencies. */
function versionForSandbox(name: string): string {
  const require = createRequire(import.meta.resolve("@toolhost/sandbox"));
  const manifest: unknown = require(`${name}/package.json`);
  return textField(manifest, "version");
}

function timeDiskSync(path: string): number {
  const page = Buffer.alloc(4_096, 1);
  const file = openSync(path, "w");
  try {
    const times = Array.from({ length: 30 }, () => {
      const startedAt = performance.now();
      writeSync(file, page);
      fdatasyncSync(file);
      return performance.now() - startedAt;
    });
    return median(times);
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
