import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { createLog } from "#lib/log";
import { createMeter } from "#telemetry";
import { embeddingsOf, respond, startFakeEmbeddings } from "#testing/fake-embeddings";
import type { FakeEmbeddings } from "#testing/fake-embeddings";
import { createEmbeddings } from "./embeddings.ts";
import type { Embeddings } from "./embeddings.ts";
import { cosine } from "./vector.ts";

const timeoutMs = 200;
const { signal } = new AbortController();

let fake: FakeEmbeddings;
let folder: string;
let fd: number;
const logs: { fd: number; folder: string }[] = [];
beforeEach(async () => {
  fake = await startFakeEmbeddings();
  folder = mkdtempSync(join(tmpdir(), "toolhost-embeddings-"));
  fd = openSync(join(folder, "log"), "w");
  logs.push({ fd, folder });
});
afterEach(() => fake.close());
// Responses that are late may be logged until then.
afterAll(() => {
  for (const log of logs) {
    closeSync(log.fd);
    rmSync(log.folder, { recursive: true });
  }
});

const logLines = () =>
  readFileSync(join(folder, "log"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { msg: string; use: string; reason?: string });

async function open(settings: Record<string, string> = {}): Promise<Embeddings> {
  const config = readConfig({
    ...fake.settings,
    EMBEDDINGS_TIMEOUT_MS: String(timeoutMs),
    ...settings,
  });
  const embeddings = createEmbeddings(config, {
    log: createLog("info", { fd }),
    meter: createMeter(),
  });
  if (embeddings === undefined) throw new Error("no embeddings");
  await embeddings.prepare(signal);
  fake.requests.length = 0;
  return embeddings;
}

/** Valid embeddings, with a change to them. */
const changed = (change: (embeddings: unknown[]) => unknown[]) => (response: ServerResponse) =>
  respond(response, change(embeddingsOf(["a text"], fake.dimension)));

const failures: Record<string, (response: ServerResponse) => void> = {
  "status 500": (response) => void response.writeHead(500).end("secret of the provider"),
  "status 401": (response) => void response.writeHead(401).end(),
  "an endless body": (response) => {
    response.writeHead(200);
    const write = () => {
      while (response.writable && response.write(" ".repeat(65_536)));
    };
    response.on("drain", write);
    write();
  },
  "a huge embedding": changed(() => [Array.from({ length: 5_000 }, () => 0.1)]),
  "deep nesting": (response) => void response.end("[".repeat(100_000)),
  "a redirect": (response) => void response.writeHead(307, { location: "/elsewhere" }).end(),
  "no JSON": (response) => void response.end("<html>"),
  "an error with status 200": (response) => void response.end('{"error":{"message":"no"}}'),
  "too few embeddings": changed(() => []),
  "too many embeddings": changed((all) => [...all, ...all]),
  "NaN as text": changed(() => [["NaN", 1]]),
  "infinite numbers": (response) =>
    void response.end('{"data":[{"index":0,"embedding":[1e999,1]}]}'),
  zeros: changed(() => [Array.from({ length: fake.dimension }, () => 0)]),
  "an empty embedding": changed(() => [[]]),
  "another dimension": changed(([first]) => [(first as number[]).slice(1)]),
  "a wrong index": (response) => void response.end('{"data":[{"index":7,"embedding":[1,1]}]}'),
  "a closed connection": (response) => void response.destroy(),
  "no response": () => undefined,
};

describe("understand", () => {
  it("returns meanings, and asks for each query of a user once", async () => {
    const embeddings = await open({ EMBEDDINGS_QUERY_PREFIX: "query: " });
    const meanings = await embeddings.understand("ada", ["walrus", "send money", "walrus"]);
    expect(meanings.map((meaning) => meaning?.vector.values.length)).toEqual([128, 128, 128]);
    const [rain] = await embeddings.understand("ada", ["weather"]);
    const again = await embeddings.understand("ada", ["walrus"]);
    expect(again[0]?.vector).toBe(meanings[0]?.vector);
    const similarity = (at: number) =>
      rain && meanings[at] ? cosine(rain.vector, meanings[at].vector) : 0;
    expect(similarity(0)).toBeGreaterThan(similarity(1));
    await embeddings.understand("eve", ["walrus"]);
    expect(fake.requests.map(({ input }) => input)).toEqual([
      ["query: walrus", "query: send money"],
      ["query: weather"],
      ["query: walrus"],
    ]);
    expect(fake.requests[0]).toMatchObject({
      path: "/v1/embeddings",
      authorization: "Bearer embeddings-key-of-the-test",
      model: "fake-embedder",
    });
    expect(logLines()).toEqual([]);
  });

  it.each(Object.entries(failures))("returns nothing in time for %s", async (_, fail) => {
    const embeddings = await open();
    fake.interfere = (_request, response) => {
      fail(response);
      return true;
    };
    for (let query = 0; query < 5; query += 1) {
      const startedAt = performance.now();
      const [meaning] = await embeddings.understand("ada", [`umbrella ${query}`]);
      expect(meaning).toBeUndefined();
      expect(performance.now() - startedAt).toBeLessThan(timeoutMs + 400);
    }
    expect(fake.requests.map(({ path }) => path)).not.toContain("/elsewhere");
  });

  it("logs an outage once, asks rarely during it, and logs its end", async () => {
    const embeddings = await open();
    fake.interfere = (_request, response) => {
      response.writeHead(503).end("overloaded");
      return true;
    };
    for (let query = 0; query < 30; query += 1) {
      await embeddings.understand("ada", [`umbrella ${query}`]);
    }
    expect(fake.requests.length).toBe(1);
    expect(logLines()).toMatchObject([
      {
        msg: "embeddings are unavailable",
        use: "query",
        reason: "the provider returned status 503",
      },
    ]);
    fake.interfere = () => false;
    await expect
      .poll(async () => (await embeddings.understand("ada", ["umbrella"]))[0]?.vector)
      .toBeDefined();
    expect(logLines().map(({ msg }) => msg)).toEqual([
      "embeddings are unavailable",
      "embeddings are available again",
    ]);
    expect(readFileSync(join(folder, "log"), "utf8")).not.toMatch(/overloaded|umbrella|key-of/);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ["rejects", (response) => response.writeHead(413).end()],
    ["fails for", (response) => response.writeHead(500).end()],
    [
      "returns no numbers for",
      (response) => response.end('{"data":[{"index":0,"embedding":[null]}]}'),
    ],
  ])("understands other queries while the provider %s one", async (_, fail) => {
    const embeddings = await open();
    fake.interfere = ({ input }, response) => {
      if (!input.some((text) => text.includes("indigestible"))) return false;
      fail(response);
      return true;
    };
    for (let query = 0; query < 3; query += 1) {
      expect(await embeddings.understand("eve", [`indigestible ${query}`])).toEqual([undefined]);
      const [meaning] = await embeddings.understand("ada", [`umbrella ${query}`]);
      expect(meaning).toBeDefined();
    }
    expect(logLines()).toEqual([]);
  });

  it("sends well-formed texts only", async () => {
    const embeddings = await open();
    await embeddings.understand("ada", [`${"x".repeat(999)}😀`]);
    await embeddings.embedTools(["\ud83d weather"], signal);
    expect(fake.requests.flatMap(({ input }) => input).every((text) => text.isWellFormed())).toBe(
      true,
    );
  });

  it("uses a late response for the same query later, and stops waiting for a slow provider", async () => {
    const embeddings = await open();
    fake.interfere = ({ input }, response) => {
      setTimeout(() => respond(response, embeddingsOf(input, fake.dimension)), timeoutMs * 2);
      return true;
    };
    expect(await embeddings.understand("ada", ["umbrella"])).toEqual([undefined]);
    await expect
      .poll(async () => (await embeddings.understand("ada", ["umbrella"]))[0], { interval: 50 })
      .toBeDefined();
    for (const query of ["a b", "c d", "e f", "g h"]) {
      await embeddings.understand("ada", [query]);
      await expect.poll(async () => logLines().length + fake.requests.length).toBeGreaterThan(0);
    }
    await expect.poll(logLines).toMatchObject([{ reason: expect.stringContaining("longer") }]);
    const startedAt = performance.now();
    expect(await embeddings.understand("ada", ["i j"])).toEqual([undefined]);
    expect(performance.now() - startedAt).toBeLessThan(timeoutMs / 2);
  });
});

describe("prepare and embedTools", () => {
  it.each(Object.entries(failures).filter(([name]) => name !== "no response"))(
    "pauses after %s",
    async (_, fail) => {
      fake.interfere = (_request, response) => {
        fail(response);
        return true;
      };
      const embeddings = await open();
      expect(await embeddings.prepare(signal)).toBeUndefined();
      expect(fake.requests).toEqual([]);
      expect(await embeddings.understand("ada", ["umbrella"])).toEqual([]);
      fake.interfere = () => false;
      await expect.poll(() => embeddings.prepare(signal)).toBe(128);
    },
  );

  it("refuses vectors of another dimension until it is prepared again", async () => {
    const embeddings = await open();
    fake.dimension = 64;
    await expect(embeddings.embedTools(["a"], signal)).rejects.toThrow("dimension");
    expect(await embeddings.understand("ada", ["umbrella"])).toEqual([]);
    await expect.poll(() => embeddings.prepare(signal)).toBe(64);
    const [vector] = await embeddings.embedTools(["a"], signal);
    expect(vector?.values.length).toBe(64);
  });
});
