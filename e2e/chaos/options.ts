import { parseArgs } from "node:util";

/** How long and how hard the service is shaken. */
export type Options = {
  /** Seconds of load and faults; the checks come afterwards. */
  seconds: number;
  /** Clients at once, each with one request at a time. */
  clients: number;
  nodes: number;
  /** Decides which faults come when, and what is asked for. */
  seed: number;
};

/** Reads the command line; throws when it is not understood. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "180" },
      clients: { type: "string", default: "16" },
      nodes: { type: "string", default: "3" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
    },
  });
  return {
    seconds: whole("seconds", values.seconds, 10),
    clients: whole("clients", values.clients, 1),
    nodes: whole("nodes", values.nodes, 2),
    seed: whole("seed", values.seed, 0),
  };
}

function whole(name: string, text: string, min: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  throw new Error(`--${name} takes a whole number from ${min} on, not "${text}"`);
}
