import { describe, expect, test } from "vitest";
import { ranOutOfMemory, wasKilled } from "./exit.ts";

const ended = (stderr: string) => ({ code: 1, signal: null, stderr, isOurs: false });

describe("ranOutOfMemory", () => {
  test.each([
    "\n<--- Last few GCs --->\n\n[1:0x1]  930 ms: Mark-Compact (reduce) 231.1 (233.0) MB, last resort; GC in old space requested\n\n*** Received signal #6: Aborted\nstack: ",
    "\n#\n# Fatal JavaScript out of memory: Reached heap limit\n#\n",
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n",
    "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
    "*** Fatal uncaught kj::Exception: mmap(): Cannot allocate memory\n",
  ])("recognizes the crash report of a process without memory: %j", (stderr) => {
    expect(ranOutOfMemory(ended(stderr))).toBe(true);
  });

  test("finds the statistics of the allocator, without the line with the reason", () => {
    const line = "class  78 [   262144 bytes ] :        2 objs;   0.5 MiB;    1.9 cum MiB;\n";
    expect(ranOutOfMemory(ended(`0.0000;\n${line}\0*** Received signal #6: Aborted\n`))).toBe(true);
  });

  test.each([
    "",
    "*** Received signal #11: Segmentation fault\nstack: ",
    "error: uncaught exception; message = out of memory\n",
    "error: out of memory\n*** Received signal #11: Segmentation fault\nstack: ",
  ])("ignores other text: %j", (stderr) => {
    expect(ranOutOfMemory(ended(stderr))).toBe(false);
  });
});

test.each([
  [{ code: null, signal: "SIGKILL" }, true],
  [{ code: null, signal: "SIGTERM" }, true],
  [{ code: 137, signal: null }, true],
  [{ code: 143, signal: null }, true],
  [{ code: 1, signal: null }, false],
  [{ code: 134, signal: null }, false],
  [{ code: null, signal: "SIGABRT" }, false],
] as const)("detects whether a process was killed: %j, %s", (exit, expected) => {
  expect(wasKilled({ ...exit, stderr: "", isOurs: false })).toBe(expected);
  expect(wasKilled({ ...exit, stderr: "", isOurs: true })).toBe(false);
});
