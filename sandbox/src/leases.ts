import type { LeaseRequest } from "./lease-request.ts";
import type { SandboxProcess } from "./process.ts";

/** The leased processes. Child runs have a limit of their own, so that parents waiting for them cannot take all processes. */
export class Leases {
  readonly #own = new Set<SandboxProcess>();
  readonly #child = new Set<SandboxProcess>();
  readonly #limits: { maxProcesses: number; childProcesses?: number | undefined };

  constructor(limits: { maxProcesses: number; childProcesses?: number | undefined }) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#own.size + this.#child.size;
  }

  all(): SandboxProcess[] {
    return [...this.#own, ...this.#child];
  }

  /** How many more runs may hold a process, for child runs or for all others. */
  room(isChild: boolean): number {
    const { maxProcesses, childProcesses = 0 } = this.#limits;
    return isChild ? childProcesses - this.#child.size : maxProcesses - this.#own.size;
  }

  add(process: SandboxProcess, { isChild }: LeaseRequest): void {
    (isChild ? this.#child : this.#own).add(process);
  }

  delete(process: SandboxProcess): void {
    this.#own.delete(process);
    this.#child.delete(process);
  }
}
