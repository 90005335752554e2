import { AsyncLocalStorage } from "node:async_hooks";
import { Agent as HttpAgent, request as openHttp } from "node:http";
import { Agent as HttpsAgent, request as openHttps } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { SpanRecord } from "./otlp.ts";
import type { TracingConfig } from "./tracing.ts";

/** Called once when the collector stops accepting spans, and once when it accepts them again. */
export type ExportReport = (
  event: { state: "failing"; reason: string } | { state: "recovered"; lostSpans: number },
) => void;

/** Sends spans in the background. */
export type Exporter = {
  /** Adds a span to the queue, or drops it if the queue is full. */
  add: (span: SpanRecord) => void;
  /** Sends the remaining spans, for a short time at most. */
  stop: () => Promise<void>;
};

/** About 10 MB. */
const maxQueuedSpans = 8_192;
const maxBatchSpans = 512;
const intervalMs = 1_000;
const requestTimeoutMs = 5_000;
/** How long the collector may take for the remaining spans of a process that stops. */
const stopMs = 2_000;
/** The pauses before a batch is sent again. After the last one it is dropped. */
const retryPausesMs = [1_000, 2_000, 4_000];
const maxRetryAfterMs = 30_000;
const maxResponseBytes = 65_536;
/** Retryable response codes (https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes). */
const retryableStatuses = new Set([429, 502, 503, 504]);

/** Sends batches of spans as OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp), one after another. */
export function createExporter(
  config: TracingConfig,
  encode: (spans: readonly SpanRecord[]) => Buffer,
  report: ExportReport,
): Exporter {
  const target = openTarget(config);
  const outage = createOutage(report);
  const stopping = new AbortController();
  let queue: SpanRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  // Small batches cost more than the spans in them, so they wait for the timer.
  let minBatchSpans = maxBatchSpans;

  const sendBatch = async (spans: readonly SpanRecord[]) => {
    try {
      const isSent = await sendWithRetries(target, encode(spans), {
        stopping: stopping.signal,
        onFailure: outage.begin,
      });
      // A collector that is too slow is not reported again for each batch.
      if (isSent && queue.length < maxBatchSpans) outage.end();
      else if (!isSent) outage.lose(spans.length);
    } catch (error) {
      // For example a header that cannot be sent.
      outage.begin(reasonOf(error));
      outage.lose(spans.length);
    }
  };
  const sendAll = async () => {
    do {
      const batch = queue.slice(0, maxBatchSpans);
      queue = queue.slice(maxBatchSpans);
      await sendBatch(batch);
    } while (queue.length >= minBatchSpans);
  };
  // Bound, so that it does not belong to the trace of the span that happened to be the last.
  const send = AsyncLocalStorage.bind((): void => {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      if (queue.length > 0) timer ??= setTimeout(send, intervalMs).unref();
    });
  });
  return {
    add: (span) => {
      if (queue.length >= maxQueuedSpans) {
        outage.begin("queue full");
        return outage.lose(1);
      }
      queue.push(span);
      if (sending !== undefined) return;
      if (queue.length >= maxBatchSpans) send();
      else timer ??= setTimeout(send, intervalMs).unref();
    },
    stop: async () => {
      minBatchSpans = 1;
      const limit = setTimeout(() => stopping.abort(), stopMs);
      if (queue.length > 0) send();
      await sending;
      clearTimeout(limit);
    },
  };
}

/** Reports the start and the end of an outage, and counts its spans. */
function createOutage(report: ExportReport) {
  let isFailing = false;
  let lostSpans = 0;
  return {
    begin: (reason: string) => {
      if (!isFailing) report({ state: "failing", reason });
      isFailing = true;
    },
    lose: (spans: number) => {
      lostSpans += spans;
    },
    end: () => {
      if (isFailing) report({ state: "recovered", lostSpans });
      isFailing = false;
      lostSpans = 0;
    },
  };
}

type Sending = { stopping: AbortSignal; onFailure: (reason: string) => void };

/** Returns false if the collector did not accept the body, after retries if it may accept it later. */
async function sendWithRetries(
  target: Target,
  body: Buffer,
  { stopping, onFailure }: Sending,
): Promise<boolean> {
  for (const pauseMs of [...retryPausesMs, undefined]) {
    const result = await post(target, body, stopping);
    if (result.isAccepted) return true;
    onFailure(result.reason);
    if (!result.isRetryable || pauseMs === undefined || stopping.aborted) return false;
    const waitMs = Math.max(pauseMs, result.retryAfterMs);
    await sleep(waitMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
  return false;
}

/** Where to send requests, and how. */
type Target = {
  url: string;
  headers: TracingConfig["headers"];
  agent: HttpAgent;
  open: typeof openHttp;
};

function openTarget({ url, headers }: TracingConfig): Target {
  const isSecure = url.startsWith("https:");
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true });
  return { url, headers, agent, open: isSecure ? openHttps : openHttp };
}

const contentType = { "content-type": "application/x-protobuf" };

type Result =
  | { isAccepted: true }
  | { isAccepted: false; reason: string; isRetryable: boolean; retryAfterMs: number };

/** Sends one request. Node's own client costs less than `fetch`, and follows no redirects. */
async function post(target: Target, body: Buffer, stopping: AbortSignal): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  const fail = (reason: string, isRetryable: boolean, retryAfter?: string) =>
    resolve({ isAccepted: false, reason, isRetryable, retryAfterMs: retryAfterMs(retryAfter) });
  const { open, agent, url, headers } = target;
  const sent = open(url, {
    agent,
    method: "POST",
    headers: { ...headers, ...contentType, "content-length": body.length },
    signal: AbortSignal.any([stopping, AbortSignal.timeout(requestTimeoutMs)]),
  });
  sent.on("response", (response) => {
    let bytes = 0;
    response
      .on("error", () => undefined)
      .on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxResponseBytes) response.destroy();
      });
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) resolve({ isAccepted: true });
    else {
      const isRetryable = retryableStatuses.has(statusCode);
      fail(`HTTP ${statusCode}`, isRetryable, response.headers["retry-after"]);
    }
  });
  sent.on("error", (error) => fail(reasonOf(error), true));
  sent.end(body);
  return promise;
}

function retryAfterMs(value = ""): number {
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  return Math.min(seconds * 1_000, maxRetryAfterMs);
}

/** The code of a network error. Its message may name addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
