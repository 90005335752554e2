import { threadCpuUsage } from "node:process";
import type { ErrorDetail, JsonObject } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import { createCpuBudget } from "#lib/cpu-budget";
import type { CpuBudget } from "#lib/cpu-budget";
import {
  BudgetSpentError,
  createProcessPool,
  JobStoppedError,
  PoolStoppedError,
} from "#lib/process-pool";
import type { Job, ProcessPool } from "#lib/process-pool";
import { parseStrictJson } from "#lib/strict-json";
import type { JsonLimits } from "#lib/strict-json";
import { checkParsedDefinition } from "./jobs.ts";
import type { InputVerdict, JobFailure, ValidationJob } from "./jobs.ts";
import { metered, TooCostlyError } from "./meter.ts";
import { createJsonParser } from "./json-parser.ts";
import type { JsonParser } from "./json-parser.ts";
import { checkHere, isSmall, maxPlainSize } from "./prepare-schema.ts";
import type { InputSchema } from "./prepare-schema.ts";
import { checkSchemaLimits } from "./schema-limits.ts";

/** A checked input; `shown` is the input without secrets, for the run record. */
type CheckedInput = { errors: ErrorDetail[]; shown: unknown };

/**
 * Checks untrusted schemas and inputs. Small ones are checked in this process; others in processes that are killed after
 * a time limit. The CPU time is charged to the workspace. All methods throw `rate_limited` when it is used up.
 */
export type Validation = {
  /** The errors of an input schema, or, if it is valid, of the examples. */
  checkDefinition(
    workspaceId: string,
    schema: JsonObject,
    examples: readonly unknown[],
  ): Promise<ErrorDetail[]>;
  /** `text` is the input as JSON. */
  checkInput(
    workspaceId: string,
    schema: InputSchema,
    input: { value: unknown; text: string },
  ): Promise<CheckedInput>;
  /** The canonical form (RFC 8785) of a JSON text. */
  canonicalize(workspaceId: string, text: string): Promise<string>;
  /**
   * Parses the JSON of a request, and charges the workspace for a large one. Throws `StrictJsonError`.
   */
  parseJson(workspaceId: string, text: string, limits: JsonLimits): unknown;
  /**
   * Parses JSON texts within `value`, which together with it share the limits of one input. The parser throws
   * `StrictJsonError` for invalid JSON. The time that `read` takes is charged to the workspace.
   */
  readJson<T>(workspaceId: string, value: unknown, read: (parse: JsonParser) => T): T;
  stats: ProcessPool["stats"];
  stop(): void;
};

type Settings = {
  size: number;
  jobCpuMs: number;
  cpuMsPerMinute: number;
  idleTimeoutMs?: number;
};

const script = new URL("worker.ts", import.meta.url);
const memoryMb = 512;
const idleTimeoutMs = 60_000;
/** Shorter work is free. */
const minChargeMs = 0.2;
/** Texts from this length on are processed elsewhere and charged. */
export const largeText = 64 * 1024;
/** Storing and returning parsed JSON takes about twice as long as parsing it. */
const workAfterParsing = 3;
/** About five milliseconds. */
const maxExampleUnits = 100_000;

export function createValidation(settings: Settings): Validation {
  const { jobCpuMs } = settings;
  const budget = createCpuBudget(settings.cpuMsPerMinute);
  const pool = createProcessPool({ script, memoryMb, idleTimeoutMs, budget, ...settings });
  const run = (workspaceId: string, job: ValidationJob, shared?: Job["shared"]) =>
    runJob(pool, workspaceId, { message: job, shared });
  const tooMuch = `takes more than ${jobCpuMs} ms of CPU time to check`;
  return {
    async checkDefinition(workspaceId, schema, examples) {
      const errors = checkSchemaLimits(schema);
      if (errors.length > 0) return errors;
      refuseWhenSpent(budget.waitSeconds(workspaceId));
      const known = checkSmallDefinition(budget, workspaceId, schema, examples);
      if (known !== undefined) return known;
      const texts = { schema: JSON.stringify(schema), examples: JSON.stringify(examples) };
      const found = await run(workspaceId, { kind: "definition", ...texts });
      if (found === stopped) {
        return [
          { path: "/inputSchema", message: `${tooMuch}. Make the schema or its examples simpler` },
        ];
      }
      return found as ErrorDetail[];
    },
    async checkInput(workspaceId, schema, { value, text }) {
      if (!schema.isTrivial || text.length > maxPlainSize) {
        refuseWhenSpent(budget.waitSeconds(workspaceId));
      }
      const here = chargeFor(budget, workspaceId, () => checkHere(schema, value, text.length));
      if (here !== undefined) return here;
      const shared = { key: schema.key, text: schema.text };
      const found = await run(workspaceId, { kind: "input", input: text }, shared);
      if (found === stopped) {
        const message = `${tooMuch} against the tool's schema. Send a smaller input, or simplify the schema`;
        return { errors: [{ path: "", message }], shown: {} };
      }
      const { errors, shown } = found as InputVerdict;
      return { errors, shown: shown === undefined ? value : (JSON.parse(shown) as unknown) };
    },
    async canonicalize(workspaceId, text) {
      const found = await run(workspaceId, { kind: "canonicalize", text });
      if (found === stopped) {
        throw new ServiceError("invalid_request", "The request body is too complex to process.");
      }
      return found as string;
    },
    parseJson(workspaceId, text, limits) {
      if (text.length < largeText) return parseStrictJson(text, limits);
      refuseWhenSpent(budget.waitSeconds(workspaceId));
      return chargeFor(budget, workspaceId, () => parseStrictJson(text, limits), workAfterParsing);
    },
    readJson(workspaceId, value, read) {
      const parse = createJsonParser(value, (length) => {
        if (length >= largeText) refuseWhenSpent(budget.waitSeconds(workspaceId));
      });
      return chargeFor(budget, workspaceId, () => read(parse), workAfterParsing);
    },
    stats: () => pool.stats(),
    stop: () => pool.stop(),
  };
}

/** Undefined if it is too much work for this process. */
function checkSmallDefinition(
  budget: CpuBudget,
  workspaceId: string,
  schema: JsonObject,
  examples: readonly unknown[],
): ErrorDetail[] | undefined {
  if (!isSmall(schema) || JSON.stringify(examples).length > 16 * 1024) return undefined;
  try {
    return chargeFor(budget, workspaceId, () =>
      metered(maxExampleUnits, () => checkParsedDefinition(schema, examples, true)),
    );
  } catch (error) {
    if (error instanceof TooCostlyError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function chargeFor<T>(budget: CpuBudget, workspaceId: string, work: () => T, factor = 1): T {
  const before = cpuMsOfThread();
  try {
    return work();
  } finally {
    const ms = cpuMsOfThread() - before;
    if (ms >= minChargeMs) budget.charge(workspaceId, ms * factor);
  }
}

function cpuMsOfThread(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1_000;
}

const stopped = Symbol("stopped");

async function runJob(pool: ProcessPool, workspaceId: string, job: Job): Promise<unknown> {
  try {
    const result = await pool.run(workspaceId, job);
    const { failure } = (result ?? {}) as Partial<JobFailure>;
    if (failure === undefined) return result;
    if (failure === "too_deep") return stopped;
    if (failure !== "timeout") throw new Error(`A validation job failed: ${failure}`);
    throw new ServiceError(
      "unavailable",
      "The server is too busy to validate this request. Retry in 5 seconds.",
      {
        retryAfterSeconds: 5,
      },
    );
  } catch (error) {
    if (error instanceof JobStoppedError) return stopped;
    if (error instanceof PoolStoppedError) {
      throw new ServiceError("unavailable", "The service is stopping.", { retryAfterSeconds: 1 });
    }
    if (!(error instanceof BudgetSpentError)) throw error;
    throw spent(error.retryAfterSeconds);
  }
}

function refuseWhenSpent(waitSeconds: number): void {
  if (waitSeconds > 0) throw spent(waitSeconds);
}

function spent(retryAfterSeconds: number): ServiceError {
  const sentence = "This workspace has used up its CPU time for schemas and large requests.";
  return new ServiceError("rate_limited", `${sentence} Retry in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}
