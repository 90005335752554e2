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
    access.noteCaller({ requestId: "one", userId: "u1", workspaceId: "w1" });
    access.noteRun("one", "r1");
    access.noteRun("two", "r2");
    access.noteRun("two", "r3");
    for (const requestId of ["one", "two", "three"]) access.end({ requestId, ...served });
    // A run that starts after the end of its request.
    access.noteRun("three", "r4");
    const [one, two, three] = await lines();
    expect(one).toMatchObject({
      msg: "request",
      requestId: "one",
      userId: "u1",
      workspaceId: "w1",
      runId: "r1",
      route: "/run/{toolName}",
      status: 200,
      durationMs: 1.3,
    });
    expect(two).toMatchObject({ requestId: "two", runIds: ["r2", "r3"] });
    expect(two).not.toHaveProperty("userId");
    expect(three).not.toHaveProperty("runId");
  });

  it("leaves out health checks, static files and unknown paths", async () => {
    const access = createAccessLog(createLog("info", { fd }));
    access.begin("one");
    access.end({ requestId: "one", ...served, route: "other" });
    expect(await lines()).toEqual([]);
  });
});
