import process from "node:process";
import { createContext, Script } from "node:vm";
import { OpenApiError } from "./errors.ts";
import type { JobResult, OpenApiJob } from "./jobs.ts";
import { readDocument } from "./read-document.ts";

/** A process that reads documents, one at a time. The service may kill it at any time. */

/** Ends a job if the service died and cannot kill this process. */
const orphanTimeoutMs = 120_000;

const holder: { work: () => unknown } = { work: () => undefined };
const context = createContext(holder);
const script = new Script("work()");

/** Results are JSON in parts, so that the service can parse them without blocking its event loop. */
async function perform(job: OpenApiJob): Promise<JobResult> {
  if (job.kind === "list") {
    const { operations, converted, ...rest } = inTime(() => readDocument(job.bytes));
    return {
      parts: operations.map((part) => JSON.stringify(part)),
      rest: JSON.stringify(rest),
      ...(converted === undefined ? {} : { converted }),
    };
  }
  // Loaded when it is needed, because a process starts faster without it.
  if (job.kind === "request") {
    const { makeRequestTool } = await import("./plan-request.ts");
    const tool = inTime(() => makeRequestTool(job.request));
    return { parts: [JSON.stringify(tool)], rest: "{}" };
  }
  const { generateTools } = await import("./generate-tools.ts");
  const { tools, ...rest } = inTime(() => generateTools(job.bytes, job.options));
  return { parts: tools.map((part) => JSON.stringify(part)), rest: JSON.stringify(rest) };
}

function inTime<T>(work: () => T): T {
  holder.work = work;
  return script.runInContext(context, { timeout: orphanTimeoutMs }) as T;
}

function failureOf(error: unknown): JobResult {
  if (error instanceof OpenApiError) return { failure: error.code, message: error.message };
  return error instanceof RangeError
    ? { failure: "too_complex", message: "" }
    : { failure: "internal", message: String(error) };
}

process.on("message", (job: OpenApiJob) => {
  const before = process.cpuUsage();
  void perform(job)
    .catch(failureOf)
    .then((result) => {
      const { user, system } = process.cpuUsage(before);
      process.send?.({ result, cpuMs: (user + system) / 1_000, forgotten: [] });
    });
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
