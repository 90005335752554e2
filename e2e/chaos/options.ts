import { parseArgs } from "node:util";

/** Duration and intensity of the chaos test. */
export type Options = {
  /** Seconds of load and faults, before the checks. */
  seconds: number;
  /** Concurrent clients, each with one request at a time. */
  clients: number;
  nodes: number;
  /** Seed for the faults and the requests. */
  seed: number;
};

/** Parses the command line. Throws if it is invalid. */
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
  throw new Error(`--${name} must be a whole number of at least ${min}, not "${text}"`);
}
