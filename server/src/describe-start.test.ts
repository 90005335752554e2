import { expect, it } from "vitest";
import { startTestService } from "#testing/service";
import { describeStart } from "./describe-start.ts";

it.each([
  [{}, []],
  [
    { EMBEDDINGS_URL: "http://user:secret@127.0.0.1:9/v1", EMBEDDINGS_MODEL: "tiny" },
    ["Search by meaning: sends texts of tools and searches to 127.0.0.1:9 (tiny)"],
  ],
])("says whether searches leave the server with %j", async (settings, said) => {
  const test = await startTestService(settings);
  try {
    const lines = describeStart(test.service).split("\n");
    expect(lines.filter((line) => line.startsWith("Search"))).toEqual(said);
  } finally {
    await test.stop();
  }
});

it.each([
  ["0.0.0.0", "process", 1],
  ["127.0.0.1", "process", 0],
  ["0.0.0.0", "auto", 0],
])("reports weak isolation on %s with %s", async (HOST, SANDBOX_ISOLATION, count) => {
  const test = await startTestService({ HOST, SANDBOX_ISOLATION });
  try {
    expect(describeStart(test.service).split("WARNING: Other machines")).toHaveLength(count + 1);
  } finally {
    await test.stop();
  }
});
