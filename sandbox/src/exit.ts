/** How a process ended, and the tail of what it wrote to standard error since its last run began. */
export type Exit = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  /** Whether we killed it, perhaps since it no longer answered. */
  isOurs: boolean;
};

/** A process does not end itself by these. */
const KILLING_SIGNALS: ReadonlyMap<string, number> = new Map([
  ["SIGINT", 2],
  ["SIGKILL", 9],
  ["SIGTERM", 15],
]);
/** Shells and the programs of the layers exit with this plus the signal that ended what they started. */
const SIGNAL_EXIT_CODE = 128;

/** Where the account that a process gives of its own death begins: V8's, workerd's, that of its libraries. */
const DEATH_REPORT =
  /^(?:<--- Last few GCs --->|\*\*\* (?:Received signal #|Fatal )|# ?Fatal |FATAL ERROR: |terminate called )/m;
const NO_MEMORY =
  /last resort; GC|out of memory|near heap limit|heap limit|bad_alloc|allocation failed|cannot allocate memory|ENOMEM/i;

/** Whether somebody else ended the process: a person, the kernel, another program. */
export function wasKilled({ code, signal, isOurs }: Exit): boolean {
  if (isOurs) return false;
  if (signal !== null) return KILLING_SIGNALS.has(signal);
  return code !== null && [...KILLING_SIGNALS.values()].includes(code - SIGNAL_EXIT_CODE);
}

/**
 * Whether a process that was not killed says that it ended because it had no memory. A tool can have text of its own
 * written to standard error, so this counts only together with such an end, and only for the run under way.
 */
export function ranOutOfMemory({ stderr }: Exit): boolean {
  const at = stderr.search(DEATH_REPORT);
  return at >= 0 && NO_MEMORY.test(stderr.slice(at));
}
