import type { LogLine, Run } from "@toolhost/contract";
import { messages } from "./messages.ts";

const { parts } = messages;

const json = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, null, 2));

type ComparedRun = Pick<Run, "status" | "toolVersion" | "input" | "output" | "error">;

/** What is compared of a run, as text by label. Log lines have no times, which always differ. */
export function runParts(run: ComparedRun, log: readonly LogLine[]): Map<string, string> {
  const { status, toolVersion, input, output, error } = run;
  return new Map([
    [parts.status, status],
    [parts.version, String(toolVersion)],
    [parts.input, json(input)],
    [parts.output, json(output)],
    [parts.error, error === undefined ? "" : `${error.code}\n${error.message}`],
    [parts.log, log.map(({ level, message }) => `${level} ${message}`).join("\n")],
  ]);
}

/** The parts that differ, with the text of both runs. */
export function differentParts(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): { label: string; before: string; after: string }[] {
  return [...after]
    .map(([label, text]) => ({ label, before: before.get(label) ?? "", after: text }))
    .filter((part) => part.before !== part.after);
}
