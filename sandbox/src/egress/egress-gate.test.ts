import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EgressGate } from "./egress.ts";

const OVER = "egress_denied: the run that asks for this is over";
const CLOSED = "egress_denied: this tool may not reach a.example";
const folder = mkdtempSync(join(tmpdir(), "egress-test-"));
const socketPath = join(folder, "gate.sock");

let gate: EgressGate;
beforeAll(async () => {
  gate = await EgressGate.listen(socketPath);
});
afterAll(() => {
  gate.close();
  rmSync(folder, { recursive: true });
});

async function ask(isolate?: string): Promise<[number | undefined, string]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number | undefined, string]>();
  const headers = isolate === undefined ? {} : { "x-toolhost-isolate": isolate };
  const asked = request({ socketPath, path: "http://a.example/path", headers }, (response) => {
    text(response).then((body) => resolve([response.statusCode, body]), reject);
  });
  asked.on("error", reject);
  asked.end();
  return promise;
}

test("knows nobody between two leases", async () => {
  expect(await ask("one")).toEqual([403, OVER]);
  expect(await ask()).toEqual([403, OVER]);
});

test("knows the isolate of the current lease alone", async () => {
  gate.admit({ runId: "run", isolate: "one" });
  expect(await ask("one")).toEqual([403, CLOSED]);
  expect(await ask("two")).toEqual([403, OVER]);
  expect(await ask()).toEqual([403, OVER]);
  gate.revoke();
  expect(await ask("one")).toEqual([403, OVER]);
});
