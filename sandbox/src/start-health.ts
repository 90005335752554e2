import { messageOf } from "./errors.ts";
import type { SandboxOptions } from "./types.ts";

const RETRY_MS = 1_000;

type Options = {
  log: NonNullable<SandboxOptions["log"]>;
  onRecovery?: SandboxOptions["onRecovery"] | undefined;
};

/** Whether processes can be started. The log names the first failure and the recovery, since there is an attempt each second. */
export class StartHealth {
  failures = 0;
  /** Why the last start failed; undefined after one that succeeded. */
  problem: string | undefined;
  readonly #options: Options;
  #retryAt = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether the next attempt has to wait. */
  get isPaused(): boolean {
    return performance.now() < this.#retryAt;
  }

  succeed(): void {
    if (this.problem === undefined) return;
    this.problem = undefined;
    this.#options.log("warn", "Processes can be started again");
    this.#options.onRecovery?.();
  }

  fail(error: unknown): void {
    const isFirst = this.problem === undefined;
    this.failures += 1;
    this.problem = messageOf(error);
    this.#retryAt = performance.now() + RETRY_MS;
    const { problem } = this;
    if (isFirst) this.#options.log("error", "A sandbox process could not be started", { problem });
  }
}
