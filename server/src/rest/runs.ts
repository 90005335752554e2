import { logLine, run, runResult, runStatuses, runSummary, vias } from "@toolhost/contract";
import { z } from "zod";
import { ServiceError } from "#core/kernel";
import { cancelRun, getRun, getRunList, getRunLogs, runTool, watchRun } from "#core/runs";
import { readLastEventId, toEventStream } from "./event-stream.ts";
import { idOfCursor, linkHeader, pageQuery, time } from "./paging.ts";
import { defineRoute } from "./route.ts";
import { preferHeader, readRunRequest } from "./run-request.ts";

const tag = "Runs";
const runParams = z.object({ runId: z.string().meta({ description: "The run's ID." }) });

/** Routes that run tools and return runs. */
export const runRoutes = [
  defineRoute({
    method: "post",
    path: "/run/{toolName}",
    tag,
    summary: "Run a tool",
    description:
      "The body is the tool's input. Responds when the run ends, or with status `running` after the wait: choose it with `Prefer: wait=N` (0 to 55 seconds) or `Prefer: respond-async`. A failed run is also a 200: see `error`.",
    scope: "mcp:execute",
    audit: "run.create",
    takesKey: true,
    takesInput: true,
    requestHeaders: [preferHeader],
    params: z.object({ toolName: z.string().meta({ description: "The tool's name." }) }),
    body: z.unknown().meta({ description: "The tool's input, which must match its inputSchema." }),
    status: 200,
    response: runResult,
    errors: ["tool_not_found", "invalid_input", "credentials_missing", "quota_exceeded"],
    handle: async ({ context, caller, params: { toolName }, ...rest }) => {
      const { request, headers } = readRunRequest(context, caller, rest);
      return { body: await runTool(context, caller, { ...request, toolName }), headers };
    },
  }),
  defineRoute({
    method: "get",
    path: "/runs",
    tag,
    summary: "List runs, newest first",
    description:
      "Returns the runs that you have access to. With `via`, `userId`, `q` or `draft=false` a page scans at most 20000 runs: it may have fewer than `limit` and still a next page.",
    scope: "mcp:read",
    audit: null,
    query: pageQuery.extend({
      toolName: z.string().max(64).optional().meta({ description: "Keeps runs of this tool." }),
      status: z.enum(runStatuses).optional().meta({ description: "Keeps runs in this state." }),
      via: z.enum(vias).optional().meta({ description: "Keeps runs asked for by this door." }),
      userId: z
        .string()
        .max(64)
        .optional()
        .meta({ description: "Keeps runs of this person; `me` is the caller." }),
      since: time.meta({ description: "Keeps runs that began at this time or later." }),
      until: time.meta({ description: "Keeps runs that began at this time or earlier." }),
      q: z
        .string()
        .trim()
        .max(64)
        .optional()
        .meta({ description: "Text in the tool's name, or the beginning of the run's id." }),
      draft: z
        .enum(["true", "false"])
        .transform((text) => text === "true")
        .optional()
        .meta({ description: "`true` keeps your runs of drafts, `false` leaves them out." }),
      draftId: z
        .string()
        .max(64)
        .optional()
        .meta({ description: "Keeps your runs of this draft." }),
      parentRunId: z
        .string()
        .max(64)
        .optional()
        .meta({ description: "Keeps runs that the tool of this run asked for." }),
    }),
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
    summary: "Get the log of a run",
    requestHeaders: [
      { name: "Last-Event-ID", description: "Resumes an event stream after this event." },
    ],
    otherForms: ["application/jsonl", "text/event-stream"],
    description:
      "Returns a JSON array; with `Accept: application/jsonl` one JSON object per line; with `Accept: text/event-stream` a live stream of the events `log`, `progress` and finally `end`, which `Last-Event-ID` resumes.",
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
        const events = await watchRun(context, caller, params.runId, options);
        return {
          body: [],
          contentType: form,
          stream: toEventStream(events, () => closing.abort()),
        };
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
];

const eventStream = "text/event-stream";
const lineForms = ["application/jsonl", "application/x-ndjson"] as const;

function formOfLogs(accept: string): "json" | (typeof lineForms)[number] | typeof eventStream {
  const form = ([eventStream, ...lineForms] as const).find((type) => accept.includes(type));
  if (form !== undefined) return form;
  if (/\*\/\*|application\/(?:json|\*)/.test(accept)) return "json";
  throw new ServiceError(
    "not_acceptable",
    "Logs are available as application/json, application/jsonl and text/event-stream.",
  );
}
