import { once } from "node:events";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { expect } from "vitest";
import { createRedactor } from "../../src/egress/redaction.ts";
import { messages } from "../../src/test-sandbox.ts";
import type { Attempt } from "./attempt.ts";
import { workerds } from "./processes.ts";
import { SECRET, type AttemptResult } from "./run-attempt.ts";

/** Checks that an attempt failed, and that the declared mechanism stopped it. */
export async function expectBlocked(attemptResult: AttemptResult): Promise<void> {
  const { attempt, result, progress, seen, received } = attemptResult;
  const shown = JSON.stringify({ result, progress, received });
  expect(shown).not.toContain("got through");
  // Not in any encoding that the redactor knows.
  expect(createRedactor([{ name: "KEY", value: SECRET }])(shown)).toBe(shown);
  expectEnding(attempt, result);
  const { mayBeSeen = [] } = attempt;
  expect(seen.filter((request) => !mayBeSeen.includes(request))).toEqual(attempt.seen ?? []);
  expect(messages(result)).toEqual(attempt.logs ?? expect.any(Array));
  expect(result.egress).toEqual(expectedUsage(attempt));
  expectHidden(attempt.hidden ?? []);
  expect((attempt.absent ?? []).filter((path) => existsSync(path))).toEqual([]);
  if (attempt.isAlone === true) expectIsolatedProcesses();
  for (const port of attempt.closed ?? []) expect(await isOpen(port)).toBe(false);
}

function expectEnding({ ends }: Attempt, result: AttemptResult["result"]): void {
  const shown = JSON.stringify(result).slice(0, 2_000);
  if ("says" in ends) {
    expect(result.status === "completed" ? JSON.stringify(result.output) : shown).toMatch(
      new RegExp(ends.says),
    );
    return;
  }
  if (result.status !== "failed") throw new Error(`The run did not fail: ${shown}`);
  const { code, message } = result.error;
  if (!new RegExp(`^(?:${ends.code})$`).test(code))
    throw new Error(`The run failed with another code: ${shown}`);
  expect(message).toMatch(new RegExp(ends.message ?? ""));
}

function expectedUsage({ hostUsage }: Attempt): unknown {
  if (hostUsage === undefined) return expect.any(Array);
  const { reason, ...rest } = hostUsage;
  const refused = reason === undefined ? {} : { reason: expect.stringMatching(reason) };
  return expect.arrayContaining([expect.objectContaining({ ...rest, ...refused })]);
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function expectHidden(paths: readonly string[]): void {
  const seen = workerds().flatMap(({ pid }) => paths.map((path) => `/proc/${pid}/root${path}`));
  expect(seen.filter((path) => existsSync(path))).toEqual([]);
}

function expectIsolatedProcesses(): void {
  for (const { pid } of workerds()) {
    const interfaces = readFileSync(`/proc/${pid}/net/dev`, "utf8").matchAll(/^\s*(\S+):/gm);
    expect(Array.from(interfaces, ([, name]) => name)).toEqual(["lo"]);
    const space = `/proc/${pid}/ns/pid`;
    expect(readlinkSync(space)).not.toBe(readlinkSync("/proc/self/ns/pid"));
  }
}
