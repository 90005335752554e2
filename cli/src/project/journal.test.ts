import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal, readPending, savePending } from "./journal.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "toolhost-journal-"));
});
afterEach(() => rm(home, { recursive: true }));

const open = (apiKey = "first", address = "https://one.example") =>
  openJournal({ HOME: home, TOOLHOST_API_KEY: apiKey }, home, address);

const valid = () => ({
  key: "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d",
  startedAt: new Date().toISOString(),
  workspace: "w",
  title: "Hello",
  hash: "sha256-x",
});
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();

describe("journal", () => {
  it("returns what was stored, for the same project and address", async () => {
    await savePending(await open(), "hello", valid());
    expect([...(await readPending(await open("second"))).keys()]).toEqual(["hello"]);
    expect((await readPending(await open("first", "https://two.example"))).size).toBe(0);
  });

  it("does not read the files of the project", async () => {
    await mkdir(join(home, ".toolhost", "pending"), { recursive: true });
    await writeFile(join(home, ".toolhost", "pending", "x.json"), JSON.stringify(valid()));
    expect((await readPending(await open())).size).toBe(0);
  });

  it("identifies an API key without containing it", async () => {
    const [first, second] = [await open("first"), await open("second")];
    expect(first.credential).not.toBe(second.credential);
    expect(JSON.stringify(first)).not.toContain('"first"');
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["a key that is no UUID", JSON.stringify({ ...valid(), key: "x" })],
    ["no title", JSON.stringify({ ...valid(), title: undefined })],
    ["no hash", JSON.stringify({ ...valid(), hash: 1 })],
    ["no time", JSON.stringify({ ...valid(), startedAt: "soon" })],
    ["an old time", JSON.stringify({ ...valid(), startedAt: daysAgo(31) })],
    ["a future time", JSON.stringify({ ...valid(), startedAt: daysAgo(-1) })],
  ])("deletes a file with %s", async (_, text) => {
    const journal = await open();
    await mkdir(journal.place, { recursive: true });
    await writeFile(join(journal.place, "hello.json"), text);
    expect((await readPending(journal)).size).toBe(0);
    expect(await readdir(journal.place)).toEqual([]);
  });
});
