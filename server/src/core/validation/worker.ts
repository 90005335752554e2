import process from "node:process";
import { createContext, Script } from "node:vm";
import type { JsonObject } from "@toolhost/contract";
import { canonicalizeText, checkDefinitionJob, createInputChecker } from "./jobs.ts";
import type { InputVerdict, JobFailure, ValidationJob } from "./jobs.ts";

/** A process that runs the jobs of `jobs.ts` one at a time. The service may kill it at any time. */

type Message = ValidationJob & { sharedKey?: string; sharedText?: string };
type Checker = (input: string) => InputVerdict;

const maxSchemas = 50;
/** Ends a job if the service died and cannot kill this process. */
const orphanTimeoutMs = 120_000;

/** A Map iterates in insertion order, so the first entry is the least recently used. */
const checkers = new Map<string, Checker>();
const holder: { work: () => unknown } = { work: () => undefined };
const context = createContext(holder);
const script = new Script("work()");

function perform(message: Message): unknown {
  if (message.kind === "definition") return checkDefinitionJob(message);
  if (message.kind === "canonicalize") return canonicalizeText(message.text);
  return checkerOf(message)(message.input);
}

function checkerOf({ sharedKey = "", sharedText }: Message): Checker {
  const known = checkers.get(sharedKey);
  if (known === undefined && sharedText === undefined) throw new Error("The schema was never sent");
  const checker = known ?? createInputChecker(JSON.parse(sharedText ?? "") as JsonObject);
  checkers.delete(sharedKey);
  checkers.set(sharedKey, checker);
  return checker;
}

/** Keys of schemas that were evicted after a job. */
function forget({ sharedKey }: Message): string[] {
  const forgotten = sharedKey === undefined || checkers.has(sharedKey) ? [] : [sharedKey];
  for (const key of checkers.keys()) {
    if (checkers.size <= maxSchemas) break;
    checkers.delete(key);
    forgotten.push(key);
  }
  return forgotten;
}

function failureOf(error: unknown): JobFailure {
  if (error instanceof RangeError) return { failure: "too_deep" };
  const isTimeout =
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
  return { failure: isTimeout ? "timeout" : String(error) };
}

process.on("message", (message: Message) => {
  const before = process.cpuUsage();
  holder.work = () => perform(message);
  let result: unknown;
  try {
    result = script.runInContext(context, { timeout: orphanTimeoutMs });
  } catch (error) {
    result = failureOf(error);
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.({ result, cpuMs: (user + system) / 1_000, forgotten: forget(message) });
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
