import { afterEach, describe, expect, test, vi } from "vitest";
import { LineRouter } from "./logs.ts";
import type { Progress } from "./types.ts";

const bytes = (message: string) => Buffer.from(line(message));
const line = (message: string) => `${JSON.stringify({ timestamp: 1, level: "log", message })}\n`;

afterEach(() => {
  vi.useRealTimers();
});

describe("LineRouter", () => {
  test("routes each line to the run with its nonce and drops the others", () => {
    const sorter = new LineRouter();
    const one = sorter.open("one", 100);
    const two = sorter.open("two", 100);
    const now = Date.now();
    const text = [
      line(`${one.logNonce} log info ${now - 5} first`),
      line(`${two.logNonce} log error ${now} second`),
      line("three log info 7 unknown nonce"),
      line("log info 8 no nonce"),
      "not json\n",
      `{"message":"${one.logNonce} log info broken\n`,
      line(`${one.logNonce} full`),
    ].join("");
    sorter.feed(Buffer.from(text));
    expect(one.entries).toEqual([{ at: now - 5, level: "info", message: "first" }]);
    expect(two.entries).toEqual([{ at: now, level: "error", message: "second" }]);
    expect([one.truncated, two.truncated]).toEqual([true, false]);
  });

  test("accepts the end of a run from the dispatcher only", () => {
    const sorter = new LineRouter();
    const sink = sorter.open("n", 100);
    for (const word of ["end", "idle"]) sorter.feed(bytes(`${sink.logNonce} ${word}`));
    sorter.feed(bytes("n log info 1 not of the isolate"));
    expect([sink.hasEnded, sink.isIdle, sink.entries]).toEqual([false, false, []]);
    sorter.feed(bytes("n end"));
    sorter.end("n");
    sorter.feed(bytes(`${sink.logNonce} idle`));
    expect([sink.hasEnded, sorter.isIdle]).toEqual([true, false]);
    sorter.feed(bytes("n idle"));
    expect(sorter.isIdle).toBe(true);
  });

  test("rejects implausible times and progress", () => {
    const sorter = new LineRouter();
    const progress: Progress[] = [];
    const sink = sorter.open("n", 1_000);
    sink.attach({ onProgress: (step) => progress.push(step) });
    const before = Date.now();
    for (const at of ["5", "-1", "1e300", "NaN", "x"])
      sorter.feed(bytes(`${sink.logNonce} log info ${at} said`));
    for (const { at } of sink.entries) expect(at).toBeGreaterThanOrEqual(before);
    for (const part of ["7", "-1", "NaN", "1e999", "x"])
      sorter.feed(bytes(`${sink.logNonce} progress ${part}`));
    sorter.feed(bytes(`${sink.logNonce} progress 0.5 ${"x".repeat(1_000)}`));
    sink.finish();
    expect(progress).toEqual([{ fraction: 0.5, message: "x".repeat(500) }]);
    expect(sink.entries.length).toBe(5);
  });

  test("joins lines that arrive in pieces", () => {
    const sorter = new LineRouter();
    const sink = sorter.open("n", 1_000);
    for (const byte of Buffer.from(
      line(`${sink.logNonce} log info 1 é and more`) + line(`${sink.logNonce} log info 2 next`),
    )) {
      sorter.feed(Buffer.from([byte]));
    }
    expect(sink.entries.map(({ message }) => message)).toEqual(["é and more", "next"]);
  });

  test("gives each run's leftover work its own grace period", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const sorter = new LineRouter();
    sorter.open("one", 100);
    sorter.open("two", 100);
    sorter.end("one");
    vi.advanceTimersByTime(150);
    sorter.end("two");
    vi.advanceTimersByTime(100);
    expect(sorter.isOverdue(200)).toBe(true);
    sorter.feed(bytes("one idle"));
    expect([sorter.isIdle, sorter.isOverdue(200)]).toEqual([false, false]);
    vi.advanceTimersByTime(100);
    expect(sorter.isOverdue(200)).toBe(true);
    sorter.feed(bytes("two idle"));
    expect([sorter.isIdle, sorter.isOverdue(0)]).toEqual([true, false]);
  });

  test("drops an endless line and finds the next", () => {
    const sorter = new LineRouter();
    const sink = sorter.open("n", 1_000);
    for (let i = 0; i < 40; i++) sorter.feed(Buffer.alloc(100_000, "x"));
    sorter.feed(Buffer.from(`\n${line(`${sink.logNonce} log info 1 after`)}`));
    expect(sink.entries.map(({ message }) => message)).toEqual(["after"]);
  });

  test("truncates at the byte limit, never within a character, and drops everything after", () => {
    const sorter = new LineRouter();
    const sink = sorter.open("n", 5);
    sorter.feed(
      Buffer.from(
        line(`${sink.logNonce} log info 1 abé`) +
          line(`${sink.logNonce} log info 1 éé`) +
          line(`${sink.logNonce} log info 1 z`),
      ),
    );
    expect(sink.entries.map(({ message }) => message)).toEqual(["abé"]);
    expect(sink.truncated).toBe(true);
  });

  test("gives a run the lines that its module wrote in advance", () => {
    const sorter = new LineRouter();
    const sink = sorter.open("n", 100);
    sorter.feed(Buffer.from(line(`${sink.logNonce} log info 1 ahead`)));
    const received: string[] = [];
    sink.attach({ onLog: ({ message }) => received.push(message) });
    sorter.feed(Buffer.from(line(`${sink.logNonce} log info 2 now`)));
    expect(received).toEqual(["ahead", "now"]);
  });
});
