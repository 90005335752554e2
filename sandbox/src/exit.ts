/** How a process exited, and the end of its standard error since its last run started. */
export type Exit = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  /** Whether the sandbox killed it. */
  isOurs: boolean;
};

/** Signals that come from outside: a process does not end itself with them. */
const KILLING_SIGNALS: ReadonlyMap<string, number> = new Map([
  ["SIGINT", 2],
  ["SIGKILL", 9],
  ["SIGTERM", 15],
]);
/** Shells and the programs of the isolation layers exit with this number plus the signal that ended their child. */
const SIGNAL_EXIT_CODE = 128;

/** The first line of a crash report from V8, workerd or one of its libraries. */
const DEATH_REPORT =
  /^(?:<--- Last few GCs --->|\*\*\* (?:Received signal #|Fatal )|# ?Fatal |FATAL ERROR: |terminate called )/m;
const NO_MEMORY =
  /last resort; GC|out of memory|near heap limit|heap limit|bad_alloc|allocation failed|cannot allocate memory|ENOMEM/i;
/** Statistics of the allocator, which it prints when it is out of memory. The line with the reason is often no longer stored. */
const ALLOCATOR_REPORT = /^class +\d+ \[ +\d+ bytes \] : +\d+ objs;/m;

/** Whether something outside the sandbox killed the process: a person, the kernel or another program. */
export function wasKilled({ code, signal, isOurs }: Exit): boolean {
  if (isOurs) return false;
  if (signal !== null) return KILLING_SIGNALS.has(signal);
  return code !== null && [...KILLING_SIGNALS.values()].includes(code - SIGNAL_EXIT_CODE);
}

/**
 * Whether the crash report of a process states that it ran out of memory. Tools can write to standard error, so this is
 * evidence only if the process was not killed, and only for the current run.
 */
export function ranOutOfMemory({ stderr }: Exit): boolean {
  if (ALLOCATOR_REPORT.test(stderr)) return true;
  const at = stderr.search(DEATH_REPORT);
  return at >= 0 && NO_MEMORY.test(stderr.slice(at));
}
