import { parseArgs } from "node:util";

/** How long and how often to measure, and where to write the results. */
export type Options = {
  /** Seconds of load in each cell. */
  seconds: number;
  rounds: number;
  /** First runs of new tools to time. */
  coldRuns: number;
  /** Tools that are run in turn. */
  tools: number;
  /** File for the results as JSON. */
  json: string | undefined;
};

/** Parses the command line. Throws if it is invalid. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string" },
      rounds: { type: "string" },
      tools: { type: "string" },
      quick: { type: "boolean", default: false },
      json: { type: "string" },
    },
  });
  return {
    seconds: positive("seconds", values.seconds ?? (values.quick ? "1" : "3")),
    rounds: Math.ceil(positive("rounds", values.rounds ?? (values.quick ? "1" : "3"))),
    coldRuns: values.quick ? 5 : 20,
    tools: Math.ceil(positive("tools", values.tools ?? (values.quick ? "100" : "1000"))),
    json: values.json,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} takes a number above 0, not "${text}"`);
}
