import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";

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

/** Parses the options of a benchmark. Ends the program if they are invalid. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseOptions({
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
    rounds: wholeNumber("rounds", values.rounds ?? (values.quick ? "1" : "3")),
    coldRuns: values.quick ? 5 : 20,
    tools: wholeNumber("tools", values.tools ?? (values.quick ? "100" : "1000")),
    json: values.json,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  return endWithUsage(`--${name} takes a number above 0, not "${text}".`);
}

/** Reads a whole number above 0. Ends the program if it is none. */
export function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  return endWithUsage(`--${name} takes a whole number above 0, not "${text}".`);
}

/** Parses the command line. Ends the program if it is invalid. */
export function parseOptions<T extends ParseArgsConfig>(
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return endWithUsage(`${message}\n${describeOptions(config)}`);
  }
}

function describeOptions({ options = {} }: ParseArgsConfig): string {
  const names = Object.entries(options).map(
    ([name, { type }]) => `--${name}${type === "string" ? " VALUE" : ""}`,
  );
  return names.length === 0 ? "It has no options." : `Options: ${names.join(", ")}`;
}

/** Ends the program with a message for the user who called it with wrong arguments. */
export function endWithUsage(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
