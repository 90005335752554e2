import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CpuBudget } from "./cpu-budget.ts";
import { makeExpendable } from "./expendable.ts";

/** A job was stopped because it exceeded its CPU time or memory. Other jobs are not affected. */
export class JobStoppedError extends Error {
  override name = "JobStoppedError";
}

/** The subject has used up its CPU time, or has too many jobs waiting. */
export class BudgetSpentError extends Error {
  override name = "BudgetSpentError";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super("The CPU time is used up");
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The service is stopping. */
export class PoolStoppedError extends Error {
  override name = "PoolStoppedError";
}

/** The reply of a process. `forgotten` lists the keys of shared texts that it has evicted. */
type JobReply = { result: unknown; cpuMs: number; forgotten: readonly string[] };

/** A text that a process caches after it was sent once. */
type SharedText = { key: string; text: string };

export type Job = {
  message: Readonly<Record<string, unknown>>;
  shared?: SharedText | undefined;
};

/** Processes for long computations, which can be killed at any time. */
export type ProcessPool = {
  /** Runs one job for a subject. Throws `JobStoppedError`, `BudgetSpentError`, and the error of a failed process. */
  run(subject: string, job: Job): Promise<unknown>;
  stats(): { processes: number; busy: number; waiting: number; stopped: number };
  stop(): void;
};

type Options = {
  script: URL;
  size: number;
  jobCpuMs: number;
  memoryMb: number;
  /** How long a process without a job stays. */
  idleTimeoutMs: number;
  budget: CpuBudget;
};

type Pending = {
  subject: string;
  job: Job;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
};

type Worker = {
  child: ChildProcess;
  isReady: boolean;
  current: Pending | undefined;
  cached: Set<string>;
  /** CPU time of the process when its job started. */
  baseMs: number;
  timer: NodeJS.Timeout | undefined;
  idleTimer: NodeJS.Timeout | undefined;
};

const checkMs = 50;
const maxWaitingPerSubject = 100;
const maxFailedStarts = 5;
const msPerTick = 10;
/**
 * Jobs of one subject run one after the other and subjects take turns, so that no subject waits for more than the
 * current job of each other one. Processes start on demand and
 * end when they are idle.
 */
export function createProcessPool(options: Options): ProcessPool {
  return new Pool(options);
}

class Pool implements ProcessPool {
  readonly #options: Options;
  readonly #workers = new Set<Worker>();
  /** A Map iterates in insertion order. A subject that had a turn is inserted again at the end. */
  readonly #waiting = new Map<string, Pending[]>();
  #stoppedJobs = 0;
  #failedStarts = 0;
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  run(subject: string, job: Job): Promise<unknown> {
    const waitSeconds = this.#options.budget.waitSeconds(subject);
    const queue = this.#waiting.get(subject) ?? [];
    if (waitSeconds > 0 || queue.length >= maxWaitingPerSubject) {
      return Promise.reject(new BudgetSpentError(Math.max(1, waitSeconds)));
    }
    if (this.#isStopped) return Promise.reject(new PoolStoppedError("The pool is stopped"));
    return new Promise((resolve, reject) => {
      queue.push({ subject, job, resolve, reject });
      this.#waiting.set(subject, queue);
      this.#dispatch();
    });
  }

  stats() {
    return {
      processes: this.#workers.size,
      busy: [...this.#workers].filter(({ current }) => current !== undefined).length,
      waiting: [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, 0),
      stopped: this.#stoppedJobs,
    };
  }

  stop(): void {
    this.#isStopped = true;
    for (const worker of this.#workers) {
      const pending = release(worker);
      worker.child.kill("SIGKILL");
      pending?.reject(new PoolStoppedError("The pool is stopped"));
    }
    this.#workers.clear();
    this.#rejectAll(new PoolStoppedError("The pool is stopped"));
  }

  #start(): void {
    const { script, memoryMb } = this.#options;
    const child = fork(fileURLToPath(script), [], {
      serialization: "advanced",
      // The process needs no settings or secrets of the service.
      env: {},
      execArgv: [`--max-old-space-size=${memoryMb}`, "--no-warnings"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const worker: Worker = {
      child,
      isReady: false,
      current: undefined,
      cached: new Set(),
      baseMs: 0,
      timer: undefined,
      idleTimer: undefined,
    };
    this.#workers.add(worker);
    makeExpendable(child);
    child.on("message", (reply) => this.#receive(worker, reply as JobReply | "ready"));
    child.on("error", () => this.#lose(worker));
    child.on("exit", () => this.#lose(worker));
    child.unref();
  }

  #receive(worker: Worker, reply: JobReply | "ready"): void {
    if (reply === "ready") {
      worker.isReady = true;
      this.#failedStarts = 0;
      // An idle process does not prevent the service from exiting.
      worker.child.channel?.unref();
    } else {
      const pending = release(worker);
      for (const key of reply.forgotten) worker.cached.delete(key);
      if (pending !== undefined) {
        this.#options.budget.charge(pending.subject, reply.cpuMs);
        pending.resolve(reply.result);
      }
    }
    this.#dispatch();
    this.#endWhenIdle(worker);
  }

  #endWhenIdle(worker: Worker): void {
    clearTimeout(worker.idleTimer);
    if (worker.current !== undefined) return;
    worker.idleTimer = setTimeout(() => {
      if (worker.current === undefined && this.#workers.delete(worker))
        worker.child.kill("SIGKILL");
    }, this.#options.idleTimeoutMs);
    worker.idleTimer.unref();
  }

  /** The process has exited: out of memory, or killed by the pool. */
  #lose(worker: Worker): void {
    if (!this.#workers.delete(worker)) return;
    const pending = release(worker);
    if (!worker.isReady) this.#failedStarts += 1;
    if (pending !== undefined) {
      this.#stoppedJobs += 1;
      this.#options.budget.charge(pending.subject, this.#options.jobCpuMs);
      pending.reject(new JobStoppedError("The job used too much memory"));
    }
    if (this.#failedStarts < maxFailedStarts) this.#dispatch();
    else this.#rejectAll(new Error("The worker process does not start"));
  }

  #rejectAll(error: Error): void {
    this.#failedStarts = 0;
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { reject } of all) reject(error);
  }

  #dispatch(): void {
    while (this.#waiting.size > 0 && !this.#isStopped) {
      const subject = this.#nextSubject();
      if (subject === undefined) return;
      const workers = [...this.#workers];
      const free = workers.find(({ isReady, current }) => isReady && current === undefined);
      if (free === undefined) {
        const starting = workers.filter(({ isReady }) => !isReady).length;
        if (workers.length < this.#options.size && starting < this.#waiting.size) this.#start();
        return;
      }
      this.#assign(free, subject);
    }
  }

  /** With several processes, one subject never occupies all of them. */
  #nextSubject(): string | undefined {
    const busy = [...this.#workers].flatMap(({ current }) =>
      current === undefined ? [] : [current.subject],
    );
    const maxBusy = Math.max(1, this.#options.size - 1);
    return this.#waiting
      .keys()
      .find((subject) => busy.filter((one) => one === subject).length < maxBusy);
  }

  #assign(worker: Worker, subject: string): void {
    const queue = this.#waiting.get(subject) ?? [];
    const pending = queue.shift();
    this.#waiting.delete(subject);
    if (queue.length > 0) this.#waiting.set(subject, queue);
    if (pending === undefined) return;
    const waitSeconds = this.#options.budget.waitSeconds(subject);
    if (waitSeconds > 0) {
      pending.reject(new BudgetSpentError(waitSeconds));
      return;
    }
    worker.current = pending;
    worker.baseMs = cpuMsOf(worker.child);
    worker.timer = setInterval(() => this.#check(worker), checkMs);
    worker.child.channel?.ref();
    send(worker, pending.job);
  }

  /** Measures CPU time, because on a busy machine a job may wait long without running. */
  #check(worker: Worker): void {
    const { jobCpuMs, budget } = this.#options;
    const used = cpuMsOf(worker.child) - worker.baseMs;
    if (used <= jobCpuMs || worker.current === undefined) return;
    const { subject, reject } = worker.current;
    release(worker);
    this.#workers.delete(worker);
    worker.child.kill("SIGKILL");
    this.#stoppedJobs += 1;
    budget.charge(subject, used);
    reject(new JobStoppedError(`The job used more than ${jobCpuMs} ms of CPU time`));
    this.#dispatch();
  }
}

function release(worker: Worker): Pending | undefined {
  clearInterval(worker.timer);
  const { current } = worker;
  worker.current = undefined;
  worker.child.channel?.unref();
  return current;
}

function send({ child, cached }: Worker, { message, shared }: Job): void {
  if (shared === undefined) {
    child.send(message);
    return;
  }
  const { key, text } = shared;
  const isCached = cached.has(key);
  cached.add(key);
  child.send({ ...message, sharedKey: key, ...(isCached ? {} : { sharedText: text }) });
}

/** CPU time of a process since its start; wall time if the system does not report it. */
function cpuMsOf({ pid }: ChildProcess): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the command in parentheses, which may contain spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return performance.now();
  }
}
