import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EgressGate } from "./egress-gate.ts";
import { EgressLease } from "./egress-lease.ts";
import { createEgressNetwork } from "./egress-network.ts";
import { NO_EGRESS } from "./policy.ts";

const OVER = "egress_denied: the run has ended";
const CLOSED =
  "egress_denied: the request to a.example was denied: the host is not in the tool's allowedHosts";
const folder = mkdtempSync(join(tmpdir(), "egress-test-"));
const socketPath = join(folder, "gate.sock");
const network = createEgressNetwork();

let gate: EgressGate;
beforeAll(async () => {
  gate = await EgressGate.listen(socketPath);
});
afterAll(async () => {
  gate.close();
  await network.connections.close();
  rmSync(folder, { recursive: true });
});

async function ask(isolate?: string, path = socketPath): Promise<[number | undefined, string]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number | undefined, string]>();
  const headers = isolate === undefined ? {} : { "x-toolhost-isolate": isolate };
  const asked = request(
    { socketPath: path, path: "http://a.example/path", headers },
    (response) => {
      const reason = response.headers["x-toolhost-error-message"];
      resolve([response.statusCode, decodeURIComponent(String(reason))]);
      response.resume();
    },
  );
  asked.on("error", reject);
  asked.end();
  return promise;
}

test("denies requests between two leases", async () => {
  expect(await ask("one")).toEqual([403, OVER]);
  expect(await ask()).toEqual([403, OVER]);
});

test("accepts only the isolate of the current lease", async () => {
  gate.admit(
    new EgressLease(network, NO_EGRESS, { isolate: "one", connectionGroup: "connectionGroup" }),
  );
  expect(await ask("one")).toEqual([403, CLOSED]);
  expect(await ask("two")).toEqual([403, OVER]);
  expect(await ask()).toEqual([403, OVER]);
  gate.revoke();
  expect(await ask("one")).toEqual([403, OVER]);
});

test("limits its connections, and accepts new ones after others close", async () => {
  const sockets = Array.from({ length: 1_400 }, () => connect(socketPath));
  const outcomes = await Promise.all(
    sockets.map(async (socket) => {
      socket.on("error", () => {});
      const { promise, resolve } = Promise.withResolvers<string>();
      socket.once("close", () => resolve("closed"));
      socket.once("data", () => resolve("answered"));
      socket.write("GET http://a.example/ HTTP/1.1\r\n\r\n");
      return promise;
    }),
  );
  // Connections of earlier tests may still be open.
  const answered = outcomes.filter((outcome) => outcome === "answered").length;
  expect(answered).toBeGreaterThan(1_190);
  expect(answered).toBeLessThanOrEqual(1_200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => ask("one").catch(() => {}), { timeout: 10_000 }).toEqual([403, OVER]);
});

test("reserves connections for each process when others use up the shared limit", async () => {
  const paths = Array.from({ length: 5 }, (_, i) => join(folder, `crowd-${i}.sock`));
  const gates = await Promise.all(paths.map((path) => EgressGate.listen(path)));
  const [last = "", ...held] = paths.toReversed();
  const sockets = held.flatMap((path) => Array.from({ length: 1_150 }, () => connect(path)));
  for (const socket of sockets) socket.on("error", () => {});
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask("one", last)));
  for (const answer of answers) expect(answer).toEqual([403, OVER]);
  for (const socket of sockets) socket.destroy();
  for (const open of gates) open.close();
});

test.each([
  ["two lengths", "content-length: 1\r\ncontent-length: 2\r\n"],
  ["a length and chunks", "content-length: 1\r\ntransfer-encoding: chunked\r\n"],
  ["a header that continues on the next line", "x-a: 1\r\n x-toolhost-isolate: one\r\n"],
])("drops a connection that sends %s", async (_what, headers) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = "";
  const socket = connect(socketPath);
  socket.on("error", () => {});
  socket.on("data", (chunk) => (said += chunk.toString()));
  socket.once("close", () => resolve(said));
  socket.write(`POST http://a.example/ HTTP/1.1\r\n${headers}\r\n`);
  expect(await promise).toBe("");
});
