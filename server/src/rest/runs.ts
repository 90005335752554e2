import {
  answerQuestionInput,
  listRunsQuery,
  logLine,
  run,
  runResult,
  runSummary,
} from "@toolhost/contract";
import { z } from "zod";
import { ServiceError } from "#core/kernel";
import {
  answerQuestion,
  cancelRun,
  countRuns,
  getRun,
  getRunList,
  getRunLogs,
  longPoll,
  runLocation,
  runTool,
  watchRun,
} from "#core/runs";
import { readLastEventId, toEventStream } from "./event-stream.ts";
import { idOfCursor, linkHeader, totalHeaders } from "./paging.ts";
import { defineRoute } from "./route.ts";
import { preferHeader, readRunRequest, readWait } from "./run-request.ts";

const tag = "Runs";
const runParams = z.object({ runId: z.string().meta({ description: "The ID of the run." }) });

/** Runs tools, and reads runs and their logs. */
export const runRoutes = [
  defineRoute({
    method: "post",
    path: "/run/{toolName}",
    operation: "runTool",
    tag,
    summary: "Run a tool",
    description:
      "The body is the input of the tool. The response is sent when the tool finishes (`Location` is the run), or with `running` when the tool asks a question, or after a wait of 25 seconds by default. `Prefer: wait=N` sets another wait (0 to 55 seconds), and `Prefer: respond-async` sets none. If the tool fails, the status is still 200: see `error`.",
    scope: "mcp:execute",
    audit: "run.create",
    reservesKey: true,
    acceptsToolInput: true,
    runsTool: true,
    requestHeaders: [preferHeader],
    params: z.object({ toolName: z.string().meta({ description: "The tool's name." }) }),
    body: z
      .unknown()
      .meta({ description: "The input of the tool, which must match its inputSchema." }),
    status: 200,
    response: runResult,
    errors: ["tool_not_found", "invalid_input", "credentials_missing", "quota_exceeded"],
    handle: async (received) => {
      const { context, caller, params } = received;
      const { request, headers } = readRunRequest(context, caller, received);
      const { toolName } = params;
      return { body: await runTool(context, caller, { ...request, toolName }), headers };
    },
    headersOf: ({ runId }) => ({ location: runLocation(runId) }),
  }),
  defineRoute({
    method: "get",
    path: "/runs",
    operation: "listRuns",
    tag,
    summary: "List runs",
    description:
      "Returns the runs that you can see. With `via`, `userId`, `q`, `draft=false`, `credential`, `host`, `apiKeyId` or `appId`, a page scans at most 20,000 runs: it can have fewer than `limit` items and still link to a next page.",
    scope: "mcp:read",
    audit: null,
    query: listRunsQuery,
    status: 200,
    response: z.array(runSummary),
    handle: async ({ context, caller, query, url }) => {
      const { limit, cursor, sort, total: isCounted, userId, q, ...rest } = query;
      const filter = {
        ...rest,
        userId: userId === "me" ? caller.userId : userId,
        q: q === "" ? undefined : q,
      };
      const page = { limit, after: idOfCursor(cursor), sort };
      const { runs, next } = await getRunList(context, caller, filter, page);
      const total = isCounted === true ? await countRuns(context, caller, filter) : undefined;
      const link = linkHeader(context.config.baseUrl, url, next);
      return { body: runs, headers: { ...link, ...totalHeaders(total) } };
    },
  }),
  defineRoute({
    method: "get",
    path: "/runs/{runId}",
    operation: "getRun",
    tag,
    summary: "Get a run",
    description:
      "With `Prefer: wait=N` (up to 55 seconds), waits until the run has ended or asks a question. If you already have many requests that wait, the response is sent immediately.",
    scope: "mcp:read",
    audit: null,
    requestHeaders: [{ name: "Prefer", description: "`wait=N` (RFC 7240)." }],
    params: runParams,
    status: 200,
    response: run,
    errors: ["run_not_found"],
    handle: async ({ context, caller, params: { runId }, headers, signal }) => {
      const { waitMs, applied } = readWait(headers.get("prefer"));
      if (applied === undefined) return { body: await getRun(context, caller, runId) };
      const body = await longPoll(context, caller, runId, { waitMs, signal });
      return { body, headers: { "preference-applied": applied } };
    },
  }),
  defineRoute({
    method: "get",
    path: "/runs/{runId}/logs",
    operation: "getRunLog",
    tag,
    summary: "Get the log of a run",
    requestHeaders: [
      {
        name: "Last-Event-ID",
        description: "For an event stream: the ID of the last event received.",
      },
    ],
    otherMediaTypes: ["application/jsonl", "text/event-stream"],
    description:
      "Returns a JSON array, or with `Accept: application/jsonl` one JSON object per line. With `Accept: text/event-stream`, streams the events `log`, `progress`, `question` (null when it is closed) and finally `end`; resume with `Last-Event-ID`.",
    scope: "mcp:read",
    audit: null,
    params: runParams,
    status: 200,
    response: z.array(logLine),
    errors: ["run_not_found", "not_acceptable"],
    handle: async ({ context, caller, params, headers, isStillAllowed }) => {
      const mediaType = negotiateMediaType(headers.get("accept") ?? "*/*");
      if (mediaType === eventStream) {
        const closing = new AbortController();
        const { signal } = closing;
        const after = readLastEventId(headers.get("last-event-id"));
        const options = { after, signal, isStillAllowed };
        const updates = await watchRun(context, caller, params.runId, options);
        return {
          body: [],
          contentType: mediaType,
          stream: toEventStream(updates, () => closing.abort()),
        };
      }
      const lines = await getRunLogs(context, caller, params.runId);
      if (mediaType === "json") return { body: lines };
      const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      return { body, contentType: mediaType };
    },
  }),
  defineRoute({
    method: "post",
    path: "/runs/{runId}/cancel",
    operation: "cancelRun",
    tag,
    summary: "Cancel a run",
    scope: "mcp:execute",
    audit: "run.cancel",
    params: runParams,
    status: 200,
    response: run,
    errors: ["run_not_found", "run_not_cancellable"],
    handle: async ({ context, caller, params }) => ({
      body: await cancelRun(context, caller, params.runId),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/runs/{runId}/answers",
    operation: "answerQuestion",
    tag,
    summary: "Answer the question of a run",
    description:
      "Answers the `question` of a running run. Only the user who started the run can answer, once. The content is deleted when the tool has received it.",
    scope: "mcp:execute",
    audit: "run.answer",
    params: runParams,
    body: answerQuestionInput,
    status: 200,
    response: run,
    errors: ["run_not_found", "invalid_input", "question_closed"],
    handle: async ({ context, caller, params, body }) => ({
      body: await answerQuestion(context, caller, params.runId, body),
    }),
  }),
];

const eventStream = "text/event-stream";
const lineMediaTypes = ["application/jsonl", "application/x-ndjson"] as const;

function negotiateMediaType(
  accept: string,
): "json" | (typeof lineMediaTypes)[number] | typeof eventStream {
  const mediaType = ([eventStream, ...lineMediaTypes] as const).find((type) =>
    accept.includes(type),
  );
  if (mediaType !== undefined) return mediaType;
  if (/\*\/\*|application\/(?:json|\*)/.test(accept)) return "json";
  throw new ServiceError(
    "not_acceptable",
    "The log is available as application/json, application/jsonl and text/event-stream.",
  );
}
