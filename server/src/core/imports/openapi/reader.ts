import type { CreateDraftFromRequestInput, JsonObject } from "@toolhost/contract";
import { createCpuBudget } from "#lib/cpu-budget";
import { parseInTurns } from "#lib/parse-in-turns";
import {
  BudgetSpentError,
  createProcessPool,
  JobStoppedError,
  PoolStoppedError,
} from "#lib/process-pool";
import type { ProcessPool } from "#lib/process-pool";
import { OpenApiError } from "./errors.ts";
import type { JobResult, OpenApiJob } from "./jobs.ts";
import { documentLimits } from "./limits.ts";
import type {
  DocumentSummary,
  GeneratedTool,
  GeneratedTools,
  GenerateOptions,
  OperationSummary,
  RequestTool,
} from "./types.ts";

/** Reads OpenAPI and Swagger documents in processes that are killed when one takes too much time or memory. */
export type OpenApiReader = {
  /** What a document offers. Throws `OpenApiError`. */
  readDocument(workspaceId: string, document: string | Uint8Array): Promise<DocumentSummary>;
  /**
   * Makes tools of operations. Examples that do not match the tool's input schema are left out. Throws `OpenApiError`, and
   * what `checkDefinition` throws.
   */
  generateTools(
    workspaceId: string,
    document: string | Uint8Array,
    options: GenerateOptions,
  ): Promise<GeneratedTools>;
  /** Makes a tool of one request. Throws as `generateTools`. */
  generateFromRequest(
    workspaceId: string,
    request: CreateDraftFromRequestInput,
  ): Promise<RequestTool>;
  stats: ProcessPool["stats"];
  stop(): void;
};

type Settings = {
  /** As of `Validation`: the errors of an input schema, or, if it is valid, of the examples. */
  checkDefinition: (
    workspaceId: string,
    schema: JsonObject,
    examples: readonly unknown[],
  ) => Promise<readonly unknown[]>;
  size?: number;
  /** CPU time for one document. */
  jobCpuMs?: number;
  /** CPU time for the documents of one workspace; 0 disables the limit. */
  cpuMsPerMinute?: number;
  memoryMb?: number;
  idleTimeoutMs?: number;
};

const script = new URL("worker.ts", import.meta.url);

export function createOpenApiReader({ checkDefinition, ...settings }: Settings): OpenApiReader {
  const { jobCpuMs = 10_000, cpuMsPerMinute = 30_000 } = settings;
  const { size = 2, memoryMb = 512, idleTimeoutMs = 20_000 } = settings;
  const budget = createCpuBudget(cpuMsPerMinute);
  const pool = createProcessPool({ script, size, jobCpuMs, memoryMb, idleTimeoutMs, budget });
  return {
    async readDocument(workspaceId, document) {
      const bytes = toBytes(document);
      const { parts, rest, converted } = await runJob(pool, workspaceId, { kind: "list", bytes });
      const operations = await parseInTurns<OperationSummary>(parts);
      return {
        ...(JSON.parse(rest) as Omit<DocumentSummary, "operations" | "converted">),
        operations,
        ...(converted === undefined ? {} : { converted }),
      };
    },
    async generateTools(workspaceId, document, options) {
      const job = { kind: "generate" as const, bytes: toBytes(document), options };
      const { parts, rest } = await runJob(pool, workspaceId, job);
      const tools: GeneratedTool[] = [];
      for (const tool of await parseInTurns<GeneratedTool>(parts)) {
        tools.push(await withValidExamples(checkDefinition, workspaceId, tool));
      }
      return { ...(JSON.parse(rest) as Omit<GeneratedTools, "tools">), tools };
    },
    async generateFromRequest(workspaceId, request) {
      const { parts } = await runJob(pool, workspaceId, { kind: "request", request });
      const [tool] = await parseInTurns<RequestTool>(parts);
      if (tool === undefined) throw new Error("A request became no tool");
      return withValidExamples(checkDefinition, workspaceId, tool);
    },
    stats: () => pool.stats(),
    stop: () => pool.stop(),
  };
}

function toBytes(document: string | Uint8Array): Uint8Array {
  const size = typeof document === "string" ? document.length : document.byteLength;
  if (size > documentLimits.bytes) {
    throw new OpenApiError(
      "too_large",
      "The document is larger than 20 MB. Remove the paths that you don't need.",
    );
  }
  return typeof document === "string" ? Buffer.from(document) : document;
}

async function runJob(
  pool: ProcessPool,
  workspaceId: string,
  job: OpenApiJob,
): Promise<Exclude<JobResult, { failure: unknown }>> {
  const result = await pool.run(workspaceId, { message: job }).catch(explain);
  const answer = result as JobResult;
  if (!("failure" in answer)) return answer;
  const { failure, message } = answer;
  if (failure === "internal") throw new Error(`A document could not be read: ${message}`);
  throw message === "" ? tooComplex() : new OpenApiError(failure, message);
}

function explain(error: unknown): never {
  if (error instanceof JobStoppedError) throw tooComplex();
  if (error instanceof BudgetSpentError) {
    const { retryAfterSeconds } = error;
    throw new OpenApiError(
      "busy",
      `This workspace has used up its CPU time for documents. Retry in ${retryAfterSeconds} s.`,
      retryAfterSeconds,
    );
  }
  if (error instanceof PoolStoppedError) {
    throw new OpenApiError("busy", "The service is stopping.", 1);
  }
  throw error;
}

function tooComplex(): OpenApiError {
  return new OpenApiError(
    "too_complex",
    "The document takes too much time or memory to read. Split it, or remove the paths that you don't need.",
  );
}

/** Examples of documents often do not match their own schemas. */
async function withValidExamples<Tool extends RequestTool>(
  checkDefinition: Settings["checkDefinition"],
  workspaceId: string,
  tool: Tool,
): Promise<Tool> {
  const { inputSchema, examples } = tool.definition;
  if (examples.length === 0) return tool;
  const inputs = examples.map(({ input }) => input);
  const errors = await checkDefinition(workspaceId, inputSchema, inputs);
  if (errors.length === 0) return tool;
  return { ...tool, definition: { ...tool.definition, examples: [] } };
}
