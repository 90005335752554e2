import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import * as logOutput from "./log-output.ts";
import type { LogOutput, OutputFailure } from "./log-output.ts";

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const opened = new Set<number>();
const folders: string[] = [];
const outputs: LogOutput[] = [];
afterEach(() => {
  // Other test files run in this process, and get the numbers of closed descriptors.
  for (const output of outputs.splice(0)) output.close();
  for (const fd of opened) closeSync(fd);
  opened.clear();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function open(path: string, flags: number): number {
  const fd = openSync(path, flags);
  opened.add(fd);
  return fd;
}

function close(fd: number): void {
  opened.delete(fd);
  closeSync(fd);
}

const createLogOutput: typeof logOutput.createLogOutput = (...args) => {
  const output = logOutput.createLogOutput(...args);
  outputs.push(output);
  return output;
};

/** Both ends of a pipe that never block. */
function openPipe(): { reader: number; writer: number } {
  const folder = mkdtempSync(join(tmpdir(), "log-output-"));
  folders.push(folder);
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  return { reader: open(path, O_RDONLY | O_NONBLOCK), writer: open(path, O_WRONLY | O_NONBLOCK) };
}

/** Everything that is in the pipe now. */
function readAll(fd: number): string {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.alloc(65_536);
    try {
      const size = readSync(fd, chunk);
      if (size === 0) return Buffer.concat(chunks).toString();
      chunks.push(chunk.subarray(0, size));
    } catch (error) {
      // EAGAIN: it is empty.
      if (Object(error).code === "EAGAIN") return Buffer.concat(chunks).toString();
      throw error;
    }
  }
}

describe("openNonBlocking", () => {
  it("does not wait for the reader of a pipe, although the pipe blocks for others", () => {
    const folder = mkdtempSync(join(tmpdir(), "log-output-"));
    folders.push(folder);
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const reader = open(path, O_RDONLY | O_NONBLOCK);
    const blocking = open(path, O_WRONLY);
    const fd = logOutput.openNonBlocking(blocking);
    opened.add(fd);
    expect(fd).not.toBe(blocking);
    const output = createLogOutput(fd, { onRecovery: () => undefined });
    // More than a pipe holds. A write that blocks would never return.
    for (let n = 0; n < 100; n++) output.write(lineOf(n));
    expect(numbersIn(readAll(reader))[0]).toBe(0);
  });

  it("returns a descriptor of a file unchanged", () => {
    const fd = open("/dev/null", O_WRONLY);
    expect(logOutput.openNonBlocking(fd)).toBe(fd);
  });
});

const lineOf = (n: number) => `${String(n).padStart(6, "0")} ${"x".repeat(1_000)}\n`;
const numbersIn = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => {
      expect(line).toHaveLength(1_007);
      return Number(line.slice(0, 6));
    });

describe("createLogOutput", () => {
  it("writes a line before it returns", () => {
    const { reader, writer } = openPipe();
    const output = createLogOutput(writer, { onRecovery: () => undefined });
    output.write("one\n");
    expect(readAll(reader)).toBe("one\n");
  });

  it("keeps lines whole and in order while a pipe is full, and reports that once", async () => {
    const { reader, writer } = openPipe();
    const failures: OutputFailure[] = [];
    const onRecovery = (failure: OutputFailure) => void failures.push(failure);
    const output = createLogOutput(writer, { maxWaitingBytes: 20_000, retryMs: 20, onRecovery });
    for (let n = 0; n < 200; n++) output.write(lineOf(n));
    expect(failures).toEqual([]);
    let text = "";
    await expect
      .poll(() => {
        text += readAll(reader);
        return failures;
      })
      .toHaveLength(1);
    text += readAll(reader);
    const numbers = numbersIn(text);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(failures[0]).toMatchObject({ code: "EAGAIN", droppedLines: 200 - numbers.length });
    expect(failures[0]?.failedWrites).toBeGreaterThan(0);
    output.write(lineOf(200));
    expect(numbersIn(readAll(reader))).toEqual([200]);
    expect(failures).toHaveLength(1);
  });

  it("writes nothing after it was closed", async () => {
    const { reader, writer } = openPipe();
    const output = createLogOutput(writer, { retryMs: 5, onRecovery: () => undefined });
    for (let n = 0; n < 100; n++) output.write(lineOf(n));
    output.close();
    readAll(reader);
    output.write("after\n");
    await sleep(50);
    expect(readAll(reader)).toBe("");
  });

  it("survives a closed pipe", () => {
    const { reader, writer } = openPipe();
    const failures: OutputFailure[] = [];
    const onRecovery = (failure: OutputFailure) => void failures.push(failure);
    const output = createLogOutput(writer, { maxWaitingBytes: 5_000, onRecovery });
    close(reader);
    for (let n = 0; n < 100; n++) output.write(lineOf(n));
    expect(failures).toEqual([]);
  });

  it("survives a full disk", () => {
    const fd = open("/dev/full", O_WRONLY);
    const output = createLogOutput(fd, { maxWaitingBytes: 5_000, onRecovery: () => undefined });
    expect(() => {
      for (let n = 0; n < 100; n++) output.write(lineOf(n));
    }).not.toThrow();
  });
});
