import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createImporter } from "./src/import-tools.ts";
import type { Importer } from "./src/import-tools.ts";
import { startEverything, startFilesystem } from "./src/npm-upstream.ts";
import type { NpmUpstream } from "./src/npm-upstream.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let folder: string;
let everything: NpmUpstream;
let everythingSse: NpmUpstream;
let filesystem: NpmUpstream;
let server: Server;
let importer: Importer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolhost-upstream-"));
  [everything, everythingSse, filesystem] = await Promise.all([
    startEverything("streamableHttp"),
    startEverything("sse"),
    startFilesystem(folder),
  ]);
  const hosts = [everything, everythingSse, filesystem].map(({ host }) => host);
  server = await startServer({ EGRESS_PRIVATE_HOSTS: hosts.join(",") });
  importer = createImporter(server, hosts);
});
afterAll(async () => {
  await importer?.close();
  await server?.stop();
  await Promise.all([everything, everythingSse, filesystem].map((one) => one?.close()));
  await rm(folder, { recursive: true, force: true });
});

describe.each(["http", "sse"] as const)("the server everything over %s", (transport) => {
  test("runs each of its tools that are imported", async () => {
    const { url } = transport === "http" ? everything : everythingSse;
    const listing = await importer.list(url);
    expect(listing).toMatchObject({ transport, skipped: [] });
    expect(listing.tools.length).toBeGreaterThan(10);
    const run = async (name: string, input: object = {}) =>
      (await server.run(await importer.save(url, listing, name), input)).body;
    expect((await run("echo", { message: "hello" })).output).toEqual({ text: "Echo: hello" });
    expect((await run("get-structured-content", { location: "New York" })).output).toEqual({
      structuredContent: { temperature: 33, conditions: "Cloudy", humidity: 82 },
    });
    expect((await run("get-tiny-image")).output.files).toMatchObject([{ mimeType: "image/png" }]);
    expect((await run("get-resource-links", { count: 3 })).output.links).toHaveLength(3);
    const reference = { resourceType: "Text", resourceId: 1 };
    expect((await run("get-resource-reference", reference)).output.resources).toMatchObject([
      { uri: "demo://resource/dynamic/text/1" },
    ]);
    const long = await run("trigger-long-running-operation", { duration: 1, steps: 4 });
    expect(long.output.text).toContain("completed");
    const research = await run("simulate-research-query", { topic: "tides" });
    expect(research.output.text).toContain("# Research Report: tides");
  });
});

test.each(["http", "sse"] as const)("asks the user for the server over %s", async (transport) => {
  const { url, host } = transport === "http" ? everything : everythingSse;
  const listing = await importer.list(url);
  const name = await importer.save(url, listing, "trigger-elicitation-request");
  const { runId, question } = (await server.run(name, {})).body;
  expect(question.message).toContain(`The MCP server ${host} asks: Please provide inputs`);
  const content = { name: "Ada", integer: 7, untitledMultipleSelectEnum: ["Piano", "Bass"] };
  const answer = { questionId: question.id, action: "accept", content };
  await server.call("POST", `/runs/${runId}/answers`, answer);
  const ended = await server.call("GET", `/runs/${runId}`, undefined, { prefer: "wait=20" });
  expect(ended.body.output.text).toContain("Name: Ada");
  expect(ended.body.output.text).toContain("Piano");
});

test("saves all tools of both servers", async () => {
  for (const { url } of [everything, filesystem]) {
    const listing = await importer.list(url);
    expect(listing.skipped).toEqual([]);
    for (const { definition } of listing.tools) await importer.save(url, listing, definition.name);
  }
});

test("reads and writes files through the server filesystem, whose refusals are the tool's errors", async () => {
  await writeFile(join(folder, "a.txt"), "first");
  const { url } = filesystem;
  const listing = await importer.list(url);
  const read = await importer.save(url, listing, "read_text_file");
  const { body } = await server.run(read, { path: join(folder, "a.txt") });
  expect(body.output).toEqual({ structuredContent: { content: "first" } });
  const refused = await server.run(read, { path: "/etc/passwd" });
  expect(refused.body).toMatchObject({ status: "failed", error: { code: "tool_error" } });
  expect(refused.body.error.message).toContain("Access denied");
  const write = await importer.save(url, listing, "write_file");
  expect((await server.call("GET", `/tools/${write}`)).body.confirm).toBe(true);
  await server.run(write, { path: join(folder, "b.txt"), content: "second" });
  expect(await readFile(join(folder, "b.txt"), "utf8")).toBe("second");
});
