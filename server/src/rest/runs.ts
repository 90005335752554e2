import { listRunsQuery, logLine, run, runResult, runSummary } from "@toolhost/contract";
import { z } from "zod";
import { ServiceError } from "#core/kernel";
import { cancelRun, getRun, getRunList, getRunLogs, runTool, watchRun } from "#core/runs";
import { readLastEventId, toEventStream } from "./event-stream.ts";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";
import { preferHeader, readRunRequest } from "./run-request.ts";

const tag = "Runs";
const runParams = z.object({ runId: z.string().meta({ description: "The run's id." }) });

/** Runs tools and reads the records of runs. */
export const runRoutes = [
  defineRoute({
    method: "post",
    path: "/run/{toolName}",
    tag,
    summary: "Run a tool",
    description:
      "The body is the tool's input. Answers when the tool ends, or `running` after the wait: choose it with `Prefer: wait=N` (0 to 55 seconds) or `Prefer: respond-async`. A tool that fails is still a 200: see `error`.",
    scope: "mcp:execute",
    audit: "run.create",
    takesKey: true,
    takesInput: true,
    requestHeaders: [preferHeader],
    params: z.object({ toolName: z.string().meta({ description: "The tool's name." }) }),
    body: z.unknown().meta({ description: "The tool's input, as its inputSchema says." }),
    status: 200,
    response: runResult,
    errors: ["tool_not_found", "invalid_input", "credentials_missing", "quota_exceeded"],
    handle: async ({ context, caller, params: { toolName }, ...asked }) => {
      const { request, headers } = readRunRequest(context, caller, asked);
      return { body: await runTool(context, caller, { ...request, toolName }), headers };
    },
  }),
  defineRoute({
    method: "get",
    path: "/runs",
    tag,
    summary: "List runs, newest first",
    description:
      "Those that you may see. With `via`, `userId`, `q` or `draft=false` a page looks through at most 20000 runs: it may hold fewer than `limit` and still name a next page.",
    scope: "mcp:read",
    audit: null,
    query: listRunsQuery,
    status: 200,
    response: z.array(runSummary),
    handle: async ({ context, caller, query, url }) => {
      const { limit, cursor, userId, q, ...rest } = query;
      const filter = {
        ...rest,
        userId: userId === "me" ? caller.userId : userId,
        q: q === "" ? undefined : q,
      };
      const page = { limit, after: idOfCursor(cursor) };
      const { runs, next } = await getRunList(context, caller, filter, page);
      return { body: runs, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "get",
    path: "/runs/{runId}",
    tag,
    summary: "Get a run",
    scope: "mcp:read",
    audit: null,
    params: runParams,
    status: 200,
    response: run,
    errors: ["run_not_found"],
    handle: async ({ context, caller, params }) => ({
      body: await getRun(context, caller, params.runId),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/runs/{runId}/logs",
    tag,
    summary: "Get what a run has logged",
    requestHeaders: [
      { name: "Last-Event-ID", description: "Of an event stream: the last event that was seen." },
    ],
    otherForms: ["application/jsonl", "text/event-stream"],
    description:
      "A JSON array; with `Accept: application/jsonl` a line of JSON for each; with `Accept: text/event-stream` live: the events `log`, `progress` and at last `end`, to be resumed with `Last-Event-ID`.",
    scope: "mcp:read",
    audit: null,
    params: runParams,
    status: 200,
    response: z.array(logLine),
    errors: ["run_not_found", "not_acceptable"],
    handle: async ({ context, caller, params, headers, isStillAllowed }) => {
      const form = formOfLogs(headers.get("accept") ?? "*/*");
      if (form === eventStream) {
        const closing = new AbortController();
        const { signal } = closing;
        const after = readLastEventId(headers.get("last-event-id"));
        const options = { after, signal, isStillAllowed };
        const news = await watchRun(context, caller, params.runId, options);
        return { body: [], contentType: form, stream: toEventStream(news, () => closing.abort()) };
      }
      const lines = await getRunLogs(context, caller, params.runId);
      if (form === "json") return { body: lines };
      const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      return { body, contentType: form };
    },
  }),
  defineRoute({
    method: "post",
    path: "/runs/{runId}/cancel",
    tag,
    summary: "Cancel a run that is under way",
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
];

const eventStream = "text/event-stream";
const lineForms = ["application/jsonl", "application/x-ndjson"] as const;

function formOfLogs(accept: string): "json" | (typeof lineForms)[number] | typeof eventStream {
  const form = ([eventStream, ...lineForms] as const).find((type) => accept.includes(type));
  if (form !== undefined) return form;
  if (/\*\/\*|application\/(?:json|\*)/.test(accept)) return "json";
  throw new ServiceError(
    "not_acceptable",
    "Logs are answered as application/json, application/jsonl or text/event-stream.",
  );
}
