import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

type Raw = { headers: Record<string, string | string[] | undefined>; bytes: Buffer };

/** Unlike `fetch`, does not decompress. */
function send(method: string, path: string, sent: Record<string, string>, body = ""): Promise<Raw> {
  const headers = {
    authorization: `Bearer ${test.apiKey}`,
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(),
    ...sent,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${test.baseUrl}/api/v1${path}`, { method, headers }, (incoming) => {
      buffer(incoming).then((bytes) => resolve({ headers: incoming.headers, bytes }), reject);
    });
    outgoing.on("error", reject).end(body);
  });
}

describe("a long JSON response", () => {
  it.each([
    ["br", "gzip, br", brotliDecompressSync],
    ["gzip", "gzip;q=0.5, deflate", gunzipSync],
    ["gzip", "br;q=0, GZIP", gunzipSync],
  ])("is compressed with %s for Accept-Encoding: %s", async (coding, accepted, decompress) => {
    const plain = await send("GET", "/openapi.json", {});
    const { headers, bytes } = await send("GET", "/openapi.json", { "accept-encoding": accepted });
    expect(headers).toMatchObject({ "content-encoding": coding, vary: "Accept-Encoding" });
    expect(bytes.length).toBeLessThan(plain.bytes.length / 5);
    expect(decompress(bytes)).toEqual(plain.bytes);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers["vary"]).toBe("Accept-Encoding");
  });

  it("is the same in a replay, whatever the client accepts then", async () => {
    const name = await test.makeTool(`export default async () => ({ text: "long ".repeat(1000) })`);
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await send("POST", `/run/${name}`, { ...key, "accept-encoding": "br" }, "{}");
    const replay = await send("POST", `/run/${name}`, { ...key }, "{}");
    expect(replay.headers["idempotent-replay"]).toBe("true");
    expect(brotliDecompressSync(first.bytes)).toEqual(replay.bytes);
  });
});

it("sends a short JSON response as it is", async () => {
  const { headers, bytes } = await send("GET", "/me", { "accept-encoding": "gzip, br" });
  expect(headers["content-encoding"]).toBeUndefined();
  expect(JSON.parse(bytes.toString())).toHaveProperty("workspace");
});
