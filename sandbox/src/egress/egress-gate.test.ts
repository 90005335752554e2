import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EgressGate } from "./egress-gate.ts";
import { EgressLease } from "./egress-lease.ts";
import { createOutlet } from "./outlet.ts";
import { NO_EGRESS } from "./policy.ts";

const OVER = "egress_denied: the run that asks for this is over";
const CLOSED =
  "egress_denied: this tool may not reach a.example: it is not among the allowedHosts of the tool";
const folder = mkdtempSync(join(tmpdir(), "egress-test-"));
const socketPath = join(folder, "gate.sock");
const outlet = createOutlet();

let gate: EgressGate;
beforeAll(async () => {
  gate = await EgressGate.listen(socketPath);
});
afterAll(async () => {
  gate.close();
  await outlet.connections.close();
  rmSync(folder, { recursive: true });
});

async function ask(isolate?: string): Promise<[number | undefined, string]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number | undefined, string]>();
  const headers = isolate === undefined ? {} : { "x-toolhost-isolate": isolate };
  const asked = request({ socketPath, path: "http://a.example/path", headers }, (response) => {
    const reason = response.headers["x-toolhost-reason"];
    resolve([response.statusCode, decodeURIComponent(String(reason))]);
    response.resume();
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
  gate.admit(new EgressLease(outlet, NO_EGRESS, { isolate: "one", circle: "circle" }));
  expect(await ask("one")).toEqual([403, CLOSED]);
  expect(await ask("two")).toEqual([403, OVER]);
  expect(await ask()).toEqual([403, OVER]);
  gate.revoke();
  expect(await ask("one")).toEqual([403, OVER]);
});
