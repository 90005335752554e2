import { describe, expect, test } from "vitest";
import { FrameReader, textFrame } from "./websocket-frames.ts";

/** The frame of a server: the same without a mask. */
function serverFrame(text: string): Buffer {
  const frame = textFrame(Buffer.from(text));
  const code = (frame[1] ?? 0) & 0x7f;
  const header = code < 126 ? 2 : code === 126 ? 4 : 10;
  const head = Buffer.from(frame.subarray(0, header));
  head[1] = code;
  return Buffer.concat([head, frame.subarray(header + 4)]);
}

describe("a reader of WebSocket frames", () => {
  test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])("carries %i bytes", (length) => {
    const text = "x".repeat(length);
    const reader = new FrameReader();
    expect(reader.feed(serverFrame(text), 1e6)?.toString()).toBe(text);
    expect(reader.feed(serverFrame("next"), 1e6)?.toString()).toBe("next");
  });

  test("reads frames from single bytes", () => {
    const reader = new FrameReader();
    const frame = serverFrame("ä".repeat(200));
    for (const byte of frame.subarray(0, -1)) {
      expect(reader.feed(Buffer.from([byte]), 1e6)).toBeUndefined();
    }
    expect(reader.feed(frame.subarray(-1), 1e6)?.toString()).toBe("ä".repeat(200));
  });

  test("refuses frames as soon as they declare more than the limit", () => {
    expect(new FrameReader().feed(serverFrame("x".repeat(200)).subarray(0, 4), 199)).toBe(
      "too large",
    );
    expect(new FrameReader().feed(serverFrame("x".repeat(200)), 200)).toBeInstanceOf(Buffer);
    const endless = Buffer.from([0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    expect(new FrameReader().feed(endless, 1e9)).toBe("too large");
  });

  test("refuses frames of another kind, with a mask or with more behind them", () => {
    for (const first of [0x01, 0x80, 0x82, 0x88, 0x89, 0xc1]) {
      expect(() => new FrameReader().feed(Buffer.from([first, 0]), 10)).toThrow("kind of frame");
    }
    expect(() => new FrameReader().feed(Buffer.from([0x81, 0x80]), 10)).toThrow("kind of frame");
    const two = Buffer.concat([serverFrame("a"), serverFrame("b")]);
    expect(() => new FrameReader().feed(two, 10)).toThrow("bytes follow");
  });
});
