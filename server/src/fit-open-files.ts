import { ConfigError } from "#config";
import type { Config } from "#config";

/** File descriptors for the database, files, builds and everything else that does not grow with the load. */
const reserved = 256;
const minLimit = 768;
/** For each sandbox process: nine while it runs a tool, and two for each of twenty requests that the tool sends in parallel. */
const perProcess = 50;
/** With so many connections or more, a lowered limit needs no warning. */
const manyConnections = 4_000;

const howToRaise =
  "Raise the limit with LimitNOFILE (systemd), --ulimit nofile (Docker) or ulimit -Hn (shell).";

type Limits = Pick<
  Config,
  | "MAX_CONNECTIONS"
  | "ADDRESS_MAX_CONNECTIONS"
  | "SANDBOX_MAX_PROCESSES"
  | "SANDBOX_CHILD_PROCESSES"
>;

/** A configuration whose limits fit, and a warning that names those that were lowered. */
type Fitted = { config: Config; warning: string | undefined };

/**
 * Lowers the limits for which this process may open too few files. A third of the file descriptors is for connections of
 * clients, and the rest for sandbox processes. Throws `ConfigError` if there are too few to work with.
 */
export function fitOpenFiles(config: Config, openFiles: number): Fitted {
  if (openFiles === Infinity) return { config, warning: undefined };
  if (openFiles < minLimit) {
    throw new ConfigError(
      `The service may open only ${openFiles} files, but needs ${minLimit}. ${howToRaise}`,
    );
  }
  const available = openFiles - reserved;
  const maxConnections = Math.floor(available / 3);
  const processes = Math.floor((available - maxConnections) / perProcess);
  // Each depth of child runs needs a process.
  const children = Math.max(config.RUN_CHILD_DEPTH, Math.floor(processes / 3));
  // 0 is no limit.
  const wanted: Limits = { ...config, MAX_CONNECTIONS: config.MAX_CONNECTIONS || Infinity };
  const fitting: Limits = {
    MAX_CONNECTIONS: atMost(maxConnections, wanted.MAX_CONNECTIONS),
    // So that one address cannot take all of them. Without a limit per address it can.
    ADDRESS_MAX_CONNECTIONS: Math.min(
      Math.floor(maxConnections / 4),
      wanted.ADDRESS_MAX_CONNECTIONS,
    ),
    SANDBOX_MAX_PROCESSES: atMost(processes - children, wanted.SANDBOX_MAX_PROCESSES),
    SANDBOX_CHILD_PROCESSES: atMost(children, wanted.SANDBOX_CHILD_PROCESSES),
  };
  const names = Object.keys(fitting) as (keyof Limits)[];
  const lowered = names.filter((name) => fitting[name] !== wanted[name]);
  if (lowered.length === 0) return { config, warning: undefined };
  const fitted = { ...config, ...fitting };
  const isAmple =
    lowered.every((name) => name === "MAX_CONNECTIONS") && maxConnections >= manyConnections;
  if (isAmple) return { config: fitted, warning: undefined };
  const limits = lowered.map((name) => `${name} is ${fitting[name]}`).join(", ");
  const warning = `The service may open only ${openFiles} files, so ${limits}. ${howToRaise}`;
  return { config: fitted, warning };
}

function atMost(max: number, configured: number): number {
  return Math.max(1, Math.min(max, configured));
}
