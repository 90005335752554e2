import { readFile, mkdtemp, rm } from "node:fs/promises";
import { closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "#lib/log";
import { createAccessLog } from "./access-log.ts";

let folder: string;
let fd: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolhost-test-"));
  fd = openSync(join(folder, "log"), "w");
});
afterEach(async () => {
  closeSync(fd);
  await rm(folder, { recursive: true });
});

const lines = async () =>
  (await readFile(join(folder, "log"), "utf8"))
    .trimEnd()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const served = {
  method: "POST",
  route: "/run/{toolName}",
  status: 200,
  durationMs: 1.26,
  ip: null,
};

describe("createAccessLog", () => {
  it("writes a line for a request, with its caller and its runs", async () => {
    const access = createAccessLog(createLog("info", { fd }));
    for (const requestId of ["one", "two", "three"]) access.begin(requestId);
    access.noteCaller({
      requestId: "one",
      userId: "u1",
      workspaceId: "w1",
      actor: { apiKeyId: "k1" },
    });
    access.noteRun("one", { runId: "r1", toolName: "add" });
    access.noteResult("one", { runId: "r1", status: "failed", code: "tool_error" });
    access.noteRun("two", { runId: "r2", toolName: "add" });
    access.noteRun("two", { runId: "r3", toolName: "sub" });
    access.noteResult("two", { runId: "r3", status: "completed", code: undefined });
    for (const requestId of ["one", "two", "three"]) access.end({ requestId, ...served });
    // A run that starts after the end of its request.
    access.noteRun("three", { runId: "r4", toolName: "add" });
    const [one, two, three] = await lines();
    expect(one).toMatchObject({
      msg: "request",
      requestId: "one",
      userId: "u1",
      workspaceId: "w1",
      apiKeyId: "k1",
      runId: "r1",
      toolName: "add",
      runStatus: "failed",
      code: "tool_error",
      route: "/run/{toolName}",
      status: 200,
      durationMs: 1.3,
    });
    expect(two).toMatchObject({ requestId: "two", runIds: ["r2", "r3"] });
    for (const name of ["userId", "toolName", "runStatus"]) expect(two).not.toHaveProperty(name);
    expect(three).not.toHaveProperty("runId");
  });

  it("leaves out health checks, static files and unknown paths", async () => {
    const access = createAccessLog(createLog("info", { fd }));
    access.begin("one");
    access.end({ requestId: "one", ...served, route: "other" });
    expect(await lines()).toEqual([]);
  });
});
