import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import {
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from "@opentelemetry/api";
import type { Context, Span as OtelSpan, SpanContext } from "@opentelemetry/api";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Sampler } from "@opentelemetry/sdk-trace";
import { createNetworks } from "#lib/networks";
import { formatTraceparent, parseTraceContext } from "#lib/trace-context";
import type { TraceContext } from "#lib/trace-context";
import type { TracingConfig } from "../config-tracing.ts";
import { errorAttributes, schemaUrl, serviceResource } from "./conventions.ts";
import { createExporter } from "./exporter.ts";
import type { ExportReport } from "./exporter.ts";
import type { Attributes, Span, SpanStart, Tracing } from "./tracing.ts";

/** About 10 MB of spans at most; further ones are dropped until the collector has accepted some. */
const maxQueuedSpans = 8_192;
const maxBatchSpans = 512;
const exportIntervalMs = 1_000;
/** How long the spans of a process that stops may take to be sent. */
const stopMs = 2_000;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/** Records spans with the OpenTelemetry SDK and sends them to the collector. Reads no environment variable. */
export function createOpenTelemetry(config: TracingConfig, report: ExportReport): Tracing {
  const exporter = createExporter(config, report);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(config.resourceAttributes))
      .merge(
        resourceFromAttributes(
          serviceResource({ name: config.serviceName, instanceId: randomUUID() }),
        ),
      ),
    sampler: createSampler(config),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: maxQueuedSpans,
        maxExportBatchSize: maxBatchSpans,
        scheduledDelayMillis: exportIntervalMs,
      }),
    ],
  });
  const tracer = provider.getTracer("toolhost", undefined, { schemaUrl });
  const active = new AsyncLocalStorage<Context>();
  const isTrusted = createNetworks(config.trustedCallers);

  const start = (
    { name, kind, attributes }: SpanStart,
    parent: Context,
    options: { startTime?: number; links?: { context: SpanContext }[] } = {},
  ) => {
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: defined(attributes), ...options },
      parent,
    );
    return new RecordedSpan(span);
  };
  const activeSpan = () => trace.getSpan(active.getStore() ?? ROOT_CONTEXT);
  const contextOf = (span: Span | undefined) =>
    span instanceof RecordedSpan ? span.context() : (active.getStore() ?? ROOT_CONTEXT);
  return {
    isOn: true,
    start: (describe, subject, { parent, startedAt } = {}) =>
      start(
        describe(subject),
        contextOf(parent),
        startedAt === undefined ? {} : { startTime: startedAt },
      ),
    receive: (describe, subject, { traceparent, tracestate, ip }) => {
      const ambient = active.getStore() ?? ROOT_CONTEXT;
      const received = parseTraceContext(traceparent, tracestate);
      if (received === undefined) return start(describe(subject), ambient);
      if (ip === null || !isTrusted(ip)) {
        // Only the IDs: the caller may write anything into its trace state.
        const context = toSpanContext({ ...received, tracestate: undefined });
        return start(describe(subject), ambient, { links: [{ context }] });
      }
      const around = trace.getSpanContext(ambient);
      const links = around === undefined ? [] : [{ context: around }];
      const parent = trace.setSpanContext(ROOT_CONTEXT, toSpanContext(received));
      return start(describe(subject), parent, { links });
    },
    isActive: () => activeSpan()?.isRecording() === true,
    within: (span, work) =>
      span instanceof RecordedSpan ? active.run(span.context(), work) : work(),
    detached: (work) => active.exit(work),
    carry: () => {
      const context = activeSpan()?.spanContext();
      if (context === undefined) return null;
      const carried = fromSpanContext(context);
      const traceparent = formatTraceparent(carried);
      return carried.tracestate === undefined
        ? traceparent
        : `${traceparent} ${carried.tracestate}`;
    },
    resume: (carried, work) => {
      const [, traceparent, tracestate] = /^(\S+)(?: (.*))?$/.exec(carried ?? "") ?? [];
      const context = parseTraceContext(traceparent, tracestate);
      if (context === undefined) return active.exit(work);
      return active.run(trace.setSpanContext(ROOT_CONTEXT, toSpanContext(context)), work);
    },
    headersOf: (span) => {
      const context = trace.getSpanContext(contextOf(span));
      if (context === undefined) return {};
      const carried = fromSpanContext(context);
      const { tracestate } = carried;
      const traceparent = formatTraceparent(carried);
      return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
    },
    logFields: () => {
      const context = activeSpan()?.spanContext();
      return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
    },
    stop: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, stopMs);
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

class RecordedSpan implements Span {
  readonly #span: OtelSpan;
  #context: Context | undefined;

  constructor(span: OtelSpan) {
    this.#span = span;
  }

  /** The context in which it is the active span. */
  context(): Context {
    this.#context ??= trace.setSpan(ROOT_CONTEXT, this.#span);
    return this.#context;
  }

  update: Span["update"] = (describe, subject) => {
    if (!this.#span.isRecording()) return;
    const { name, attributes, errorType } = describe(subject);
    if (name !== undefined) this.#span.updateName(name);
    if (attributes !== undefined) this.#span.setAttributes(defined(attributes));
    if (errorType === undefined) return;
    this.#span.setAttributes(errorAttributes(errorType));
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  };

  end(): void {
    if (this.#span.isRecording()) this.#span.end();
  }
}

function createSampler({ sampler, samplerRatio }: TracingConfig): Sampler {
  const [, isParentBased, name] = /^(parentbased_)?(.*)$/.exec(sampler) ?? [];
  const root =
    name === "traceidratio"
      ? new TraceIdRatioBasedSampler(samplerRatio)
      : name === "always_off"
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler();
  return isParentBased === undefined ? root : new ParentBasedSampler({ root });
}

function defined(attributes: Attributes = {}): Record<string, string | number | boolean> {
  const given: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) given[name] = value;
  }
  return given;
}

function toSpanContext({ traceId, spanId, isSampled, tracestate }: TraceContext): SpanContext {
  return {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  };
}

function fromSpanContext({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return { traceId, spanId, isSampled, tracestate: traceState?.serialize() || undefined };
}
