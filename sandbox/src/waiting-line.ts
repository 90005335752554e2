import type { SandboxProcess } from "./process.ts";

/** What a run looks for in a process. */
export type Want = {
  workspaceId: string;
  /** Names the isolate that the run may share: its reuse key and its code. */
  key: string;
  codeId: string;
  isolation: "reuse" | "fresh";
  isChild: boolean;
};

type Turn = {
  want: Want;
  resolve: (process: SandboxProcess | undefined) => void;
  reject: (error: Error) => void;
};

/** Runs that wait for a process, first come first served. */
export class WaitingLine {
  readonly #limiter: Turn[] = [];

  get length(): number {
    return this.#limiter.length;
  }

  /** How many wait of one kind. */
  count(isChild: boolean): number {
    return this.#limiter.filter(({ want }) => want.isChild === isChild).length;
  }

  /** Resolves to a process, or to undefined when the signal aborts first. */
  join(want: Want, signal: AbortSignal | undefined): Promise<SandboxProcess | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<SandboxProcess | undefined>();
    const turn = { want, resolve, reject };
    this.#limiter.push(turn);
    if (signal === undefined) return promise;
    const leave = () => {
      this.#leave(turn);
      resolve(undefined);
    };
    signal.addEventListener("abort", leave, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** Offers each turn, in order, to `take`, and lets those go that got a process. */
  serve(take: (want: Want) => SandboxProcess | undefined): void {
    for (const turn of this.#limiter.slice()) {
      const process = take(turn.want);
      if (process === undefined) continue;
      this.#leave(turn);
      turn.resolve(process);
    }
  }

  refuseFirst(error: Error): void {
    this.#limiter.shift()?.reject(error);
  }

  refuse(error: Error): void {
    for (const turn of this.#limiter.splice(0)) turn.reject(error);
  }

  #leave(turn: Turn): void {
    const at = this.#limiter.indexOf(turn);
    if (at >= 0) this.#limiter.splice(at, 1);
  }
}
