import type { ApiRequest } from "./api-call.ts";
import type { AnswerQuestionInput, LogLine, Question, Run, RunResult, RunSummary } from "./api.ts";
import { delay } from "./delay.ts";
import { readJson } from "./http.ts";
import type { CallOptions, Http } from "./http.ts";
import { listItems } from "./list.ts";
import type { Settings } from "./options.ts";
import { followRun } from "./run-events.ts";
import type { RunEvent } from "./run-events.ts";
import { withTimeout } from "./timeout.ts";

/** Options of starting a run. */
export type StartOptions = CallOptions & {
  /** How long the service waits for the end before it responds with `running`: 0 to 55,000. Default: 0. */
  waitMs?: number | undefined;
};

/** Options of waiting for the end of a run. */
export type WaitOptions = CallOptions & {
  /** After this time, the wait rejects with `TimeoutError`, and the run continues. Default: no limit. */
  timeoutMs?: number | undefined;
  /** Called for each progress that the tool reports. */
  onProgress?: ((progress: NonNullable<Run["progress"]>) => void) | undefined;
  /** Called for each line of the log. */
  onLog?: ((line: LogLine) => void) | undefined;
  /** Called when the tool asks a question, which `runs.answer` answers, and with null when it is closed. */
  onQuestion?: ((question: Question | null) => void) | undefined;
};

/** Calls that return the records of runs. */
export type Runs = {
  /** Starts a run, and returns its state without waiting for the end. */
  start(toolName: string, input?: unknown, options?: StartOptions): Promise<RunResult>;
  /** Waits until a run has ended, and returns its record, whether or not it completed. */
  wait(runId: string, options?: WaitOptions): Promise<Run>;
  get(runId: string, options?: CallOptions): Promise<Run>;
  cancel(runId: string, options?: CallOptions): Promise<Run>;
  /** Answers the question of a run that the caller started. */
  answer(runId: string, answer: AnswerQuestionInput, options?: CallOptions): Promise<Run>;
  /** All runs that match, newest first. Pages are requested as they are consumed. */
  list(query?: RunsQuery, options?: CallOptions): AsyncGenerator<RunSummary, void, undefined>;
  /** The log of a run: what there is now, or with `follow` everything until its end. */
  logs(
    runId: string,
    options?: CallOptions & { follow?: boolean },
  ): AsyncGenerator<RunEvent, void, undefined>;
};

export type RunsQuery = NonNullable<ApiRequest<"GET /runs">["query"]>;

/** The service waits for at most 55 seconds, and proxies often close a connection that is silent for 60. */
const maxWaitMs = 50_000;

export function createRuns(http: Http, { maxRetries }: Pick<Settings, "maxRetries">): Runs {
  const get = (runId: string, options?: CallOptions) =>
    http("GET /runs/{runId}", { ...options, params: { runId } }, readJson<Run>);
  return {
    start: (toolName, input = {}, { waitMs = 0, ...options } = {}) => {
      const seconds = Math.floor(waitMs / 1_000);
      const prefer = seconds > 0 ? `wait=${seconds}` : "respond-async";
      return http(
        "POST /run/{toolName}",
        {
          ...options,
          params: { toolName },
          body: input,
          waitMs,
          headers: { ...options.headers, prefer },
        },
        readJson<RunResult>,
      );
    },
    wait: (runId, options) => waitForEnd(http, runId, { ...options, maxRetries }),
    get,
    cancel: (runId, options) =>
      http("POST /runs/{runId}/cancel", { ...options, params: { runId } }, readJson<Run>),
    answer: (runId, answer, options) =>
      http(
        "POST /runs/{runId}/answers",
        { ...options, params: { runId }, body: answer },
        readJson<Run>,
      ),
    list: (query, options) => listItems<RunSummary>(http, "/runs", { ...options, query }),
    logs: (runId, { follow = false, ...options } = {}) =>
      follow ? followRun(http, runId, { ...options, maxRetries }) : readLog(http, runId, options),
  };
}

async function* readLog(
  http: Http,
  runId: string,
  options: CallOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  const request = { ...options, params: { runId } };
  const lines = await http("GET /runs/{runId}/logs", request, readJson<LogLine[]>);
  for (const line of lines) yield { type: "log", ...line };
}

type Wait = WaitOptions & { maxRetries: number };

function waitForEnd(http: Http, runId: string, options: Wait): Promise<Run> {
  const { timeoutMs, onLog, onProgress, onQuestion, ...call } = options;
  const isReporting = [onLog, onProgress, onQuestion].some((listener) => listener !== undefined);
  const message = `The run ${runId} did not end within ${timeoutMs} ms. It continues.`;
  return withTimeout({ signal: call.signal, timeoutMs, message, runId }, (signal) =>
    isReporting
      ? report(http, runId, { ...call, signal, onLog, onProgress, onQuestion })
      : poll(http, runId, { ...call, signal }),
  );
}

async function poll(http: Http, runId: string, call: CallOptions): Promise<Run> {
  const headers = { ...call.headers, prefer: `wait=${maxWaitMs / 1_000}` };
  const request = { ...call, headers, params: { runId }, waitMs: maxWaitMs };
  for (;;) {
    const startedAt = Date.now();
    const run = await http("GET /runs/{runId}", request, readJson<Run>);
    if (run.status !== "running") return run;
    // The service responds at once if the caller has too many requests that wait.
    if (Date.now() - startedAt < 1_000) await delay(1_000, call.signal);
  }
}

async function report(http: Http, runId: string, options: Wait): Promise<Run> {
  const { onLog, onProgress, onQuestion, ...call } = options;
  let askedId: string | undefined;
  for await (const event of followRun(http, runId, call)) {
    if (event.type === "end") return event.run;
    if (event.type === "question") {
      // A stream that was opened again starts with the question that is open.
      if (event.question?.id !== askedId) onQuestion?.(event.question);
      askedId = event.question?.id;
      continue;
    }
    const { type, ...details } = event;
    if (type === "log") onLog?.(details as LogLine);
    else onProgress?.(details as NonNullable<Run["progress"]>);
  }
  throw new Error("unreachable: the events of a run end with its end");
}
