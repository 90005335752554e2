import { createRunBatchInput, pageQuery, runBatch } from "@toolhost/contract";
import { z } from "zod";
import { cancelRunBatch, createRunBatch, getRunBatch, listRunBatches } from "#core/runs";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Runs";
const batchParams = z.object({ batchId: z.string().meta({ description: "The ID of the batch." }) });

/** Batches of runs. */
export const runBatchRoutes = [
  defineRoute({
    method: "post",
    path: "/run-batches",
    operation: "createRunBatch",
    tag,
    summary: "Run a tool with many inputs",
    description:
      "Queues a run for each of up to 1,000 inputs, all or none, and returns immediately. Single runs of the workspace go first. For the limits of a minute the batch counts as one run. List its runs with `GET /runs?batchId=`, in the order of the inputs when read from the last to the first.",
    scope: "mcp:execute",
    audit: "run_batch.create",
    acceptsToolInput: true,
    body: createRunBatchInput,
    status: 201,
    response: runBatch,
    errors: ["tool_not_found", "invalid_input", "credentials_missing", "quota_exceeded"],
    handle: async ({ context, caller, body, noteLimits }) => ({
      body: await createRunBatch(context, caller, { ...body, noteLimits }),
    }),
    headersOf: ({ batchId }) => ({ location: `/api/v1/run-batches/${batchId}` }),
  }),
  defineRoute({
    method: "get",
    path: "/run-batches",
    operation: "listRunBatches",
    tag,
    summary: "List batches of runs, newest first",
    description:
      "Returns your batches, and those of other members if you can see all their runs. A page scans at most 200 batches: it can have fewer than `limit` items and still link to a next page.",
    scope: "mcp:read",
    audit: null,
    query: pageQuery,
    status: 200,
    response: z.array(runBatch),
    handle: async ({ context, caller, query: { limit, cursor }, url }) => {
      const page = { limit, after: idOfCursor(cursor) };
      const { batches, next } = await listRunBatches(context, caller, page);
      return { body: batches, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "get",
    path: "/run-batches/{batchId}",
    operation: "getRunBatch",
    tag,
    summary: "Get the progress of a batch of runs",
    scope: "mcp:read",
    audit: null,
    params: batchParams,
    status: 200,
    response: runBatch,
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => ({
      body: await getRunBatch(context, caller, params.batchId),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/run-batches/{batchId}/cancel",
    operation: "cancelRunBatch",
    tag,
    summary: "Cancel a batch of runs",
    description: "Cancels the runs that have not ended. Running ones end within seconds.",
    scope: "mcp:execute",
    audit: "run_batch.cancel",
    params: batchParams,
    status: 200,
    response: runBatch,
    errors: ["not_found", "run_not_cancellable"],
    handle: async ({ context, caller, params }) => ({
      body: await cancelRunBatch(context, caller, params.batchId),
    }),
  }),
];
