import type { TraceContext } from "#lib/trace-context";
import { schemaUrl } from "./conventions.ts";
import { ProtobufWriter } from "./protobuf.ts";
import type { Attributes, SpanStart } from "./tracing.ts";

/** A span that has ended. Times are Unix milliseconds. */
export type SpanRecord = {
  context: TraceContext;
  parentSpanId: string | undefined;
  /** Whether the parent is a span of another process. */
  isParentRemote: boolean;
  name: string;
  kind: SpanStart["kind"];
  startedAt: number;
  endedAt: number;
  attributes: Record<string, Attributes[string]>;
  links: readonly TraceContext[];
  hasFailed: boolean;
};

/** `SpanKind` */
const kinds = { internal: 1, server: 2, client: 3, consumer: 5 };
/** `Status.StatusCode` */
const failed = 2;
/** `SpanFlags`: the lowest byte has the flags of the trace context. */
const sampledFlag = 0x1;
const knowsRemoteFlag = 0x100;
const isRemoteFlag = 0x200;

/**
 * Returns a function that encodes spans as an `ExportTraceServiceRequest`. Field numbers are those of
 * https://github.com/open-telemetry/opentelemetry-proto (collector/trace/v1, trace/v1, common/v1, resource/v1).
 */
export function createEncoder(
  resource: Attributes,
  scopeName: string,
): (spans: readonly SpanRecord[]) => Buffer {
  const writer = new ProtobufWriter();
  return (spans) => {
    writer.clear();
    const all = writer.mark();
    writer.text(3, schemaUrl);
    for (const span of spans.toReversed()) writeSpan(writer, span);
    const scope = writer.mark();
    writer.text(1, scopeName);
    writer.message(1, scope);
    // ResourceSpans.scope_spans
    writer.message(2, all);
    const ofResource = writer.mark();
    writeAttributes(writer, 1, resource);
    // ResourceSpans.resource
    writer.message(1, ofResource);
    // ExportTraceServiceRequest.resource_spans
    writer.message(1, all);
    return writer.bytes();
  };
}

/** ScopeSpans.spans */
function writeSpan(writer: ProtobufWriter, span: SpanRecord): void {
  const { context, parentSpanId } = span;
  const mark = writer.mark();
  const remote = span.isParentRemote ? isRemoteFlag : 0;
  writer.fixed32(16, sampledFlag | knowsRemoteFlag | remote);
  if (span.hasFailed) writeFailure(writer);
  for (const link of span.links) writeLink(writer, link);
  writeAttributes(writer, 9, span.attributes);
  writer.nanoseconds(8, span.endedAt);
  writer.nanoseconds(7, span.startedAt);
  writer.integer(6, kinds[span.kind]);
  writer.text(5, span.name);
  if (parentSpanId !== undefined) writer.hex(4, parentSpanId);
  writeContext(writer, context);
  writer.message(2, mark);
}

/** The fields that spans and links have in common. */
function writeContext(writer: ProtobufWriter, context: TraceContext): void {
  if (context.tracestate !== undefined) writer.text(3, context.tracestate);
  writer.hex(2, context.spanId);
  writer.hex(1, context.traceId);
}

function writeFailure(writer: ProtobufWriter): void {
  const mark = writer.mark();
  writer.integer(3, failed);
  writer.message(15, mark);
}

function writeLink(writer: ProtobufWriter, link: TraceContext): void {
  const mark = writer.mark();
  writeContext(writer, link);
  writer.message(13, mark);
}

function writeAttributes(writer: ProtobufWriter, field: number, attributes: Attributes): void {
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    if (value === undefined) continue;
    // KeyValue with an AnyValue
    const mark = writer.mark();
    if (typeof value === "string") writer.text(1, value);
    else if (typeof value === "boolean") writer.integer(2, value ? 1 : 0);
    else if (Number.isSafeInteger(value) && value >= 0) writer.integer(3, value);
    else writer.double(4, value);
    writer.message(2, mark);
    writer.text(1, key);
    writer.message(field, mark);
  }
}
