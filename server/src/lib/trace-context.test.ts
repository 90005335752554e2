import { describe, expect, it } from "vitest";
import { formatTraceparent, parseTraceContext } from "./trace-context.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const valid = `00-${traceId}-${spanId}-01`;

describe("parseTraceContext", () => {
  it("parses a valid header", () => {
    const context = { traceId, spanId, isSampled: true, tracestate: undefined };
    expect(parseTraceContext(valid, undefined)).toEqual(context);
    expect(parseTraceContext(`00-${traceId}-${spanId}-00`, undefined)?.isSampled).toBe(false);
    // Other flags are reserved.
    expect(parseTraceContext(`00-${traceId}-${spanId}-fe`, undefined)?.isSampled).toBe(false);
    expect(parseTraceContext(`00-${traceId}-${spanId}-ff`, undefined)?.isSampled).toBe(true);
  });

  it("parses later versions, which may have more fields", () => {
    const context = { traceId, spanId, isSampled: true };
    expect(parseTraceContext(`cc-${traceId}-${spanId}-01`, undefined)).toMatchObject(context);
    expect(parseTraceContext(`01-${traceId}-${spanId}-01-more`, undefined)).toMatchObject(context);
  });

  it.each([
    undefined,
    null,
    7,
    {},
    "",
    "00",
    `ff-${traceId}-${spanId}-01`,
    `0-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}-01-`,
    `01-${traceId}-${spanId}-01more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}0-${spanId}-01`,
    `00-${traceId}-${spanId.slice(1)}-01`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-0x`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00_${traceId}_${spanId}_01`,
    ` ${valid}`,
    `${valid}\n`,
    `${valid}, ${valid}`,
  ])("ignores %j", (traceparent) => {
    expect(parseTraceContext(traceparent, "a=1")).toBeUndefined();
  });

  const longest = Array.from({ length: 32 }, (_, index) => `k${index}=v`);
  it.each([
    ["a=1", "a=1"],
    ["tenant@vendor=x/y:z ;,\tb-*_/=2 3", "tenant@vendor=x/y:z ;,b-*_/=2 3"],
    ["a=1, ,,b=2,", "a=1,b=2"],
    [longest.join(","), longest.join(",")],
    [[...longest, "more=1"].join(","), undefined],
    ["a=1,a=2", undefined],
    ["A=1", undefined],
    ["a", undefined],
    ["a=", undefined],
    ["a=b=c", undefined],
    ["a=é", undefined],
    [`a=${"x".repeat(257)}`, undefined],
    [`a=${"x".repeat(250)},b=${"x".repeat(250)},c=${"x".repeat(20)}`, undefined],
    ["", undefined],
    [["a=1"], undefined],
  ])("reads the tracestate %j as %j", (tracestate, expected) => {
    expect(parseTraceContext(valid, tracestate)?.tracestate).toBe(expected);
  });
});

describe("formatTraceparent", () => {
  it("writes what parseTraceContext reads", () => {
    for (const header of [valid, `00-${traceId}-${spanId}-00`]) {
      const context = parseTraceContext(header, undefined);
      expect(context && formatTraceparent(context)).toBe(header);
    }
  });
});
