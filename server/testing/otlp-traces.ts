/** A span as a collector receives it. */
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  /** Undefined for the first span of a trace. */
  parentSpanId: string | undefined;
  tracestate: string;
  name: string;
  kind: "internal" | "server" | "client" | "producer" | "consumer";
  /** Unix milliseconds. */
  startedAt: number;
  endedAt: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string; tracestate: string }[];
  hasFailed: boolean;
  statusMessage: string;
  resource: Record<string, unknown>;
  schemaUrl: string;
};

const kinds = ["internal", "server", "client", "producer", "consumer"] as const;

/** Decodes an `ExportTraceServiceRequest` (opentelemetry/proto/trace/v1/trace.proto). */
export function decodeTraces(bytes: Buffer): CollectedSpan[] {
  return messages(fieldsOf(bytes), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const ofResource = attributesOf(messages(resource ?? [], 1));
    return messages(resourceSpans, 2).flatMap((scopeSpans) =>
      messages(scopeSpans, 2).map((span) => ({
        ...decodeSpan(span),
        resource: ofResource,
        schemaUrl: text(scopeSpans, 3),
      })),
    );
  });
}

function decodeSpan(span: Field[]): Omit<CollectedSpan, "resource" | "schemaUrl"> {
  const [status = []] = messages(span, 15);
  return {
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    tracestate: text(span, 3),
    parentSpanId: hex(span, 4) || undefined,
    name: text(span, 5),
    kind: kinds[Number(numberOf(span, 6)) - 1] ?? "internal",
    startedAt: Number(numberOf(span, 7)) / 1e6,
    endedAt: Number(numberOf(span, 8)) / 1e6,
    attributes: attributesOf(messages(span, 9)),
    links: messages(span, 13).map((link) => ({
      traceId: hex(link, 1),
      spanId: hex(link, 2),
      tracestate: text(link, 3),
    })),
    statusMessage: text(status, 2),
    hasFailed: numberOf(status, 3) === 2n,
  };
}

function attributesOf(pairs: Field[][]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value = []] = messages(pair, 2);
      const [field] = value;
      if (field === undefined) return [text(pair, 1), undefined];
      if (field.number === 1) return [text(pair, 1), text(value, 1)];
      if (field.number === 2) return [text(pair, 1), field.value === 1n];
      if (field.number === 3) return [text(pair, 1), Number(field.value)];
      return [text(pair, 1), field.value];
    }),
  );
}

type Field = { number: number; value: bigint | Buffer };

/** The fields of a message in the wire format (https://protobuf.dev/programming-guides/encoding/). */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("The message is cut off");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(readVarint());
    const number = tag >> 3;
    const wireType = tag & 7;
    if (wireType === 0) fields.push({ number, value: readVarint() });
    else if (wireType === 1) {
      fields.push({ number, value: bytes.readBigUInt64LE(at) });
      at += 8;
    } else if (wireType === 5) {
      fields.push({ number, value: BigInt(bytes.readUInt32LE(at)) });
      at += 4;
    } else if (wireType === 2) {
      const length = Number(readVarint());
      fields.push({ number, value: bytes.subarray(at, at + length) });
      at += length;
    } else throw new Error(`Unknown wire type ${wireType}`);
  }
  return fields;
}

function buffers(fields: Field[], number: number): Buffer[] {
  return fields.flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
  );
}

function messages(fields: Field[], number: number): Field[][] {
  return buffers(fields, number).map(fieldsOf);
}

function text(fields: Field[], number: number): string {
  return buffers(fields, number)[0]?.toString() ?? "";
}

function hex(fields: Field[], number: number): string {
  return buffers(fields, number)[0]?.toString("hex") ?? "";
}

function numberOf(fields: Field[], number: number): bigint {
  const value = fields.find((field) => field.number === number)?.value;
  return typeof value === "bigint" ? value : 0n;
}
