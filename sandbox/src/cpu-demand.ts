import { openSync, readSync } from "node:fs";
import { availableParallelism } from "node:os";

const SAMPLE_MS = 2;
/** The part of the average that each further sample is. */
const WEIGHT = 0.2;

/** Knows whether more threads want to run than the machine has cores, by recent samples of the kernel's count. */
export class CpuDemand {
  readonly #file: number | undefined;
  readonly #buffer = Buffer.alloc(128);
  #runnable = 0;
  #sampledAt = -Infinity;

  constructor(path = "/proc/loadavg") {
    this.#file = openLoad(path);
  }

  /** Takes a sample. False where the kernel does not tell. */
  isSaturated(): boolean {
    const now = performance.now();
    if (this.#file !== undefined && now - this.#sampledAt >= SAMPLE_MS) {
      this.#sampledAt = now;
      const length = readSync(this.#file, this.#buffer, 0, this.#buffer.length, 0);
      // Such as `0.20 0.18 0.12 3/842 4711`: three averages, then the threads that run or could run.
      const runnable = /^\S+ \S+ \S+ (\d+)\//.exec(this.#buffer.toString("latin1", 0, length))?.[1];
      this.#runnable += (Number(runnable ?? 0) - this.#runnable) * WEIGHT;
    }
    return this.#runnable >= availableCores;
  }
}

const availableCores = availableParallelism();

/** Undefined where a hardened `/proc` shows nothing but processes. */
function openLoad(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}
