import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";

/** CPU time of all threads since the process started, and resident memory. */
export type Sample = { cpuMs: number; rssBytes: number };

// The kernel shows /proc times in units of 1/100 s on every architecture that workerd ships for.
const MS_PER_TICK = 10;
const AT_PAGESZ = 6n;
/** A run ends with a reading, so that one which follows at once needs none to start. */
const RECENT_MS = 20;

/**
 * Reads the CPU time and memory of one process, cheaply enough for every watchdog tick. The /proc files stay open, so
 * a reading is one system call and cannot hit another process that reuses the pid.
 */
export class Gauge {
  readonly #stat: number;
  /** Undefined on kernels built without scheduler statistics. */
  readonly #schedstat: number | undefined;
  readonly #buffer = Buffer.alloc(1024);
  #latest: { at: number; sample: Sample } | undefined;
  #isClosed = false;

  constructor(pid: number) {
    this.#stat = openSync(`/proc/${pid}/stat`, "r");
    const schedstat = `/proc/${pid}/task/${pid}/schedstat`;
    this.#schedstat = existsSync(schedstat) ? openSync(schedstat, "r") : undefined;
  }

  /** Undefined once the process has exited or is exiting. */
  read(): Sample | undefined {
    const text = this.#text(this.#stat);
    if (text === undefined) return undefined;
    // The second field is the command in parentheses, which may contain spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    // An exiting process frees its memory first, so a reading of 0 bytes would be misleading.
    if (fields[21] === "0") return undefined;
    const ticks = Number(fields[11]) + Number(fields[12]);
    const sample = { cpuMs: ticks * MS_PER_TICK, rssBytes: Number(fields[21]) * pageBytes };
    this.#latest = { at: performance.now(), sample };
    return sample;
  }

  /** Like `read`, but returns a reading that is at most 20 ms old: the kernel takes long to produce one. */
  recent(): Sample | undefined {
    const isFresh = this.#latest !== undefined && performance.now() - this.#latest.at < RECENT_MS;
    return isFresh && !this.#isClosed ? this.#latest?.sample : this.read();
  }

  /** CPU time of the thread that runs JavaScript alone, to the microsecond. */
  mainThreadMs(): number | undefined {
    const text = this.#schedstat === undefined ? undefined : this.#text(this.#schedstat);
    return text === undefined ? undefined : Number(text.split(" ", 1)[0]) / 1e6;
  }

  close(): void {
    this.#isClosed = true;
    closeSync(this.#stat);
    if (this.#schedstat !== undefined) closeSync(this.#schedstat);
  }

  #text(fd: number): string | undefined {
    // The descriptor may belong to another file by now.
    if (this.#isClosed) return undefined;
    try {
      const length = readSync(fd, this.#buffer, 0, this.#buffer.length, 0);
      return length > 0 ? this.#buffer.toString("latin1", 0, length) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Private writable memory of a process, counted as RLIMIT_DATA does. */
export function dataBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kibibytes = /^VmData:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no VmData field`);
  return Number(kibibytes) * 1024;
}

const pageBytes = readPageBytes();

// arm64 kernels use pages of 4, 16 or 64 KiB.
function readPageBytes(): number {
  if (process.platform !== "linux") return 4096;
  const entries = readFileSync("/proc/self/auxv");
  for (let at = 0; at + 16 <= entries.length; at += 16) {
    if (entries.readBigUInt64LE(at) === AT_PAGESZ) return Number(entries.readBigUInt64LE(at + 8));
  }
  return 4096;
}
