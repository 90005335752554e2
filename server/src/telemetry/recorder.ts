import { AsyncLocalStorage } from "node:async_hooks";
import { randomFillSync, randomUUID } from "node:crypto";
import { createNetworks } from "#lib/networks";
import { formatTraceparent, parseTraceContext } from "#lib/trace-context";
import type { TraceContext } from "#lib/trace-context";
import { errorAttributes, processResource } from "./conventions.ts";
import { createExporter } from "./exporter.ts";
import type { ExportReport } from "./exporter.ts";
import { createEncoder } from "./otlp.ts";
import type { SpanRecord } from "./otlp.ts";
import { createSampler } from "./sampler.ts";
import type { Received, Span, SpanStart, SpanUpdate, Tracing, TracingConfig } from "./tracing.ts";

type Position = {
  parent: TraceSpan | undefined;
  links?: readonly TraceContext[];
  startedAt?: number | undefined;
};

/** Records spans and sends them to the collector. */
export function createRecorder(config: TracingConfig, report: ExportReport): Tracing {
  const own = processResource({ name: config.serviceName, instanceId: randomUUID() });
  const encode = createEncoder({ ...config.resourceAttributes, ...own }, "toolhost");
  const exporter = createExporter(config, encode, report);
  const isSampled = createSampler(config);
  const isTrusted = createNetworks(config.trustedCallers);
  const active = new AsyncLocalStorage<TraceSpan | undefined>();

  const start = <S>(describe: (subject: S) => SpanStart, subject: S, position: Position) => {
    const { parent, links = [], startedAt = now() } = position;
    const { traceId = randomHex(16), tracestate, isSampled: decision } = parent?.context ?? {};
    const isRecorded = isSampled(traceId, decision);
    const context = { traceId, spanId: randomHex(8), isSampled: isRecorded, tracestate };
    if (!isRecorded) return new TraceSpan(context);
    const record: SpanRecord = {
      attributes: {},
      ...describe(subject),
      context,
      parentSpanId: parent?.context.spanId,
      isParentRemote: parent?.isRemote === true,
      startedAt,
      endedAt: startedAt,
      links,
      hasFailed: false,
    };
    return new TraceSpan(context, { record, onEnd: exporter.add });
  };
  const spanOr = (span: Span | undefined) => (span instanceof TraceSpan ? span : active.getStore());
  return {
    isOn: true,
    start: (describe, subject, { parent, startedAt } = {}) =>
      start(describe, subject, { parent: spanOr(parent), startedAt }),
    receive: (describe, subject, received) =>
      start(describe, subject, positionOf(received, active.getStore(), isTrusted)),
    isActive: () => active.getStore()?.isRecording === true,
    within: (span, work) => (span instanceof TraceSpan ? active.run(span, work) : work()),
    detached: (work) => active.run(undefined, work),
    carry: () => toText(active.getStore()?.context),
    resume: (carried, work) => {
      const context = fromText(carried);
      return active.run(context && remoteSpan(context), work);
    },
    headersOf: (span) => toHeaders(spanOr(span)?.context),
    logFields: () => {
      const context = active.getStore()?.context;
      return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
    },
    stop: () => exporter.stop(),
  };
}

/** Where a request belongs: below the caller's span if the caller is trusted. The other of the two is linked. */
function positionOf(
  { traceparent, tracestate, ip }: Received,
  active: TraceSpan | undefined,
  isTrusted: (address: string) => boolean,
): Position {
  const context = parseTraceContext(traceparent, tracestate);
  if (context === undefined) return { parent: active };
  // Only the IDs: the caller may write anything into its trace state.
  const link = { ...context, tracestate: undefined };
  if (ip === null || !isTrusted(ip)) return { parent: active, links: [link] };
  return { parent: remoteSpan(context), links: active === undefined ? [] : [active.context] };
}

/** The context's `traceparent`, and after a space its `tracestate` if it has one. */
function toText(context: TraceContext | undefined): string | null {
  if (context === undefined) return null;
  const traceparent = formatTraceparent(context);
  return context.tracestate === undefined ? traceparent : `${traceparent} ${context.tracestate}`;
}

function fromText(text: string | null): TraceContext | undefined {
  const [, traceparent, tracestate] = /^(\S+)(?: (.*))?$/.exec(text ?? "") ?? [];
  return parseTraceContext(traceparent, tracestate);
}

function toHeaders(context: TraceContext | undefined): Record<string, string> {
  if (context === undefined) return {};
  const traceparent = formatTraceparent(context);
  const { tracestate } = context;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}

type Recording = { record: SpanRecord; onEnd: (record: SpanRecord) => void };

/** A position in a trace. It has a recording if it is recorded here, until its end. */
class TraceSpan implements Span {
  readonly context: TraceContext;
  readonly isRemote: boolean;
  #recording: Recording | undefined;

  constructor(context: TraceContext, recording?: Recording, isRemote = false) {
    this.context = context;
    this.isRemote = isRemote;
    this.#recording = recording;
  }

  get isRecording(): boolean {
    return this.#recording !== undefined;
  }

  update<S>(describe: (subject: S) => SpanUpdate, subject: S): void {
    if (this.#recording === undefined) return;
    const { record } = this.#recording;
    const { name = record.name, attributes, errorType } = describe(subject);
    record.name = name;
    Object.assign(record.attributes, attributes);
    if (errorType === undefined) return;
    Object.assign(record.attributes, errorAttributes(errorType));
    record.hasFailed = true;
  }

  end(): void {
    if (this.#recording === undefined) return;
    const { record, onEnd } = this.#recording;
    this.#recording = undefined;
    record.endedAt = Math.max(record.startedAt, now());
    onEnd(record);
  }
}

/** A span of another process. */
function remoteSpan(context: TraceContext): TraceSpan {
  return new TraceSpan(context, undefined, true);
}

/** How far the system's clock, in whole milliseconds, may differ from the precise one before that is set. */
const maxDriftMs = 5;
let offsetMs = performance.timeOrigin;

/** Unix milliseconds with fractions, which follow the system's clock when that is set. */
function now(): number {
  const precise = performance.now();
  const offset = Date.now() - precise;
  if (Math.abs(offset - offsetMs) > maxDriftMs) offsetMs = offset;
  return offsetMs + precise;
}

const randomPool = Buffer.alloc(8_192);
let usedBytes = randomPool.length;

/** Random bytes as hexadecimal digits, from a pool because each call of the system takes time. */
function randomHex(bytes: number): string {
  if (usedBytes + bytes > randomPool.length) {
    randomFillSync(randomPool);
    usedBytes = 0;
  }
  usedBytes += bytes;
  return randomPool.toString("hex", usedBytes - bytes, usedBytes);
}
