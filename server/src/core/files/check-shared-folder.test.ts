import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { checkSharedFolder } from "./check-shared-folder.ts";

let test: TestService;
let scratch: string;
beforeAll(async () => {
  test = await startTestService();
  scratch = await mkdtemp(join(tmpdir(), "toolhost-files-"));
});
afterAll(async () => {
  await test.stop();
  await rm(scratch, { recursive: true });
});

/** What a node with this data folder reports while so many nodes are live. */
async function check(name: string, nodes: number, storage: "local" | "s3" = "local") {
  const { db, config, cluster } = test.service.context;
  const dataDir = join(scratch, name);
  await mkdir(join(dataDir, "files"), { recursive: true });
  return checkSharedFolder({
    db,
    config: { ...config, dataDir, FILE_STORAGE: storage },
    cluster: { ...cluster, size: nodes },
  });
}

describe.skipIf(process.env["TEST_DIALECT"] !== "postgres")("checkSharedFolder", () => {
  it("warns about a folder that other nodes do not use, at each start", async () => {
    await check("shared", 1);
    expect(await check("shared", 2)).toBeUndefined();
    for (const _ of [1, 2]) {
      expect(await check("separate", 2)).toMatch(
        /is not the one of the other nodes.*FILE_STORAGE=s3/,
      );
    }
    expect(await check("shared", 2)).toBeUndefined();
    expect(await check("separate", 2, "s3")).toBeUndefined();
  });

  it("adopts the folder of a single node, with a warning", async () => {
    await check("old", 1);
    expect(await check("new", 1)).toMatch(/earlier files may be missing/);
    expect(await check("new", 1)).toBeUndefined();
    expect(await check("old", 2)).toMatch(/other nodes/);
  });
});

describe.skipIf(process.env["TEST_DIALECT"] === "postgres")("checkSharedFolder", () => {
  it("ignores the folder of an embedded database, which has one node", async () => {
    await check("one", 1);
    expect(await check("other", 1)).toBeUndefined();
  });
});
