import type { ApiRequest } from "./api-call.ts";
import type { RunBatch, RunSummary } from "./api.ts";
import type { Client } from "./client.ts";
import { delay } from "./delay.ts";
import type { CallOptions } from "./http.ts";
import { withTimeout } from "./timeout.ts";

/** Options of waiting for the end of a batch. */
export type BatchWaitOptions = CallOptions & {
  /** After this time, the wait rejects with `TimeoutError`, and the batch continues. Default: no limit. */
  timeoutMs?: number | undefined;
  /** Called with the batch about once a second. */
  onProgress?: ((batch: RunBatch) => void) | undefined;
};

/** Calls about batches of runs. */
export type Batches = {
  /** Queues a run of a tool for each of up to 1,000 inputs, all or none. */
  create(
    toolName: string,
    inputs: readonly Record<string, unknown>[],
    options?: CallOptions,
  ): Promise<RunBatch>;
  get(batchId: string, options?: CallOptions): Promise<RunBatch>;
  /** Waits until all runs have ended, and returns the batch, whether or not they completed. */
  wait(batchId: string, options?: BatchWaitOptions): Promise<RunBatch>;
  cancel(batchId: string, options?: CallOptions): Promise<RunBatch>;
  /** All batches that you can see, newest first. */
  list(
    query?: ApiRequest<"GET /run-batches">["query"],
    options?: CallOptions,
  ): AsyncGenerator<RunBatch, void, undefined>;
  /** The runs of a batch, the one of the last input first. */
  runs(
    batchId: string,
    query?: Omit<NonNullable<ApiRequest<"GET /runs">["query"]>, "batchId">,
    options?: CallOptions,
  ): AsyncGenerator<RunSummary, void, undefined>;
};

const pauseMs = 1_000;

/** Creates the calls about batches of runs: `createBatches(client).create(toolName, inputs)`. */
export function createBatches(client: Pick<Client, "request" | "list">): Batches {
  const get = (batchId: string, options?: CallOptions) =>
    client.request("GET /run-batches/{batchId}", { ...options, params: { batchId } });
  return {
    create: (toolName, inputs, options) =>
      client.request("POST /run-batches", {
        ...options,
        body: { toolName, inputs: [...inputs] },
      }),
    get,
    wait: (batchId, { timeoutMs, onProgress, ...call } = {}) => {
      const message = `The batch ${batchId} did not end within ${timeoutMs} ms. It continues.`;
      return withTimeout({ signal: call.signal, timeoutMs, message }, async (signal) => {
        for (;;) {
          const batch = await get(batchId, { ...call, signal });
          onProgress?.(batch);
          if (batch.status !== "running") return batch;
          await delay(pauseMs, signal);
        }
      });
    },
    cancel: (batchId, options) =>
      client.request("POST /run-batches/{batchId}/cancel", { ...options, params: { batchId } }),
    list: (query, options) => client.list("/run-batches", { ...options, query: query ?? {} }),
    runs: (batchId, query, options) =>
      client.list("/runs", { ...options, query: { ...query, batchId } }),
  };
}
