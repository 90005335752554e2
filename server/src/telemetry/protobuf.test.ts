import { describe, expect, it } from "vitest";
import { decodeTraces } from "#testing/otlp-traces";
import { createEncoder } from "./otlp.ts";
import type { SpanRecord } from "./otlp.ts";
import { ProtobufWriter } from "./protobuf.ts";

const context = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  isSampled: true,
  tracestate: undefined,
};

function spanOf(columns: Partial<SpanRecord>): SpanRecord {
  return {
    context,
    parentSpanId: undefined,
    isParentRemote: false,
    name: "name",
    kind: "internal",
    startedAt: 1_795_000_000_000.125,
    endedAt: 1_795_000_000_001.5,
    attributes: {},
    links: [],
    hasFailed: false,
    ...columns,
  };
}

const encode = createEncoder({ "service.name": "tools" }, "toolhost");

describe("createEncoder", () => {
  it("encodes what a collector decodes", () => {
    const attributes = {
      text: "x",
      empty: "",
      unicode: "ä€😀",
      broken: "\ud800",
      long: "y".repeat(1_000),
      yes: true,
      no: false,
      zero: 0,
      count: 300,
      large: 2 ** 53 - 1,
      negative: -1,
      fraction: 0.5,
      absent: undefined,
    };
    const first = spanOf({ attributes, parentSpanId: "00f067aa0ba902b7", hasFailed: true });
    const link = { ...context, spanId: "00000000000000ff", tracestate: "a=1" };
    const second = spanOf({
      context: { ...context, tracestate: "b=2" },
      name: "GET /äpfel",
      kind: "consumer",
      links: [link],
    });
    const [one, two, ...others] = decodeTraces(encode([first, second]));
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      traceId: context.traceId,
      spanId: context.spanId,
      parentSpanId: "00f067aa0ba902b7",
      kind: "internal",
      hasFailed: true,
      links: [],
      resource: { "service.name": "tools" },
    });
    const { absent: _, ...given } = attributes;
    expect(one?.attributes).toEqual({
      ...given,
      broken: "\ufffd",
      negative: expect.anything(),
      fraction: expect.anything(),
    });
    expect(two).toMatchObject({
      parentSpanId: undefined,
      tracestate: "b=2",
      name: "GET /äpfel",
      kind: "consumer",
      hasFailed: false,
      startedAt: 1_795_000_000_000.125,
      endedAt: 1_795_000_000_001.5,
      links: [{ traceId: context.traceId, spanId: link.spanId, tracestate: "a=1" }],
    });
  });

  it("encodes many spans", () => {
    const spans = Array.from({ length: 3_000 }, (_, index) =>
      spanOf({ name: `span ${index}`, attributes: { filler: "z".repeat(200) } }),
    );
    const decoded = decodeTraces(encode(spans));
    expect(decoded.map(({ name }) => name)).toEqual(spans.map(({ name }) => name));
    expect(encode([spanOf({})]).length).toBeLessThan(300);
  });
});

describe("ProtobufWriter", () => {
  it.each([0, 0.000_001, 999.999_999, 1_795_000_000_000.125, 4_102_444_800_000])(
    "writes %d ms as nanoseconds",
    (milliseconds) => {
      const writer = new ProtobufWriter();
      writer.nanoseconds(1, milliseconds);
      const whole = Math.floor(milliseconds);
      const rest = BigInt(Math.round((milliseconds - whole) * 1e6));
      expect(writer.bytes().readBigUInt64LE(1)).toBe(BigInt(whole) * 1_000_000n + rest);
    },
  );
});
