import { randomInt } from "node:crypto";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWebhookReceiver, verifyWebhook } from "../server/testing/webhook-receiver.ts";
import type { WebhookReceiver } from "../server/testing/webhook-receiver.ts";
import { dialect } from "./src/database.ts";
import { createCall } from "./src/http.ts";
import { startSecondNode } from "./src/second-node.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";
import { until } from "./src/until.ts";

const kills = Number(process.env["WEBHOOK_KILLS"] ?? (process.env["TEST_ALL"] === "1" ? 12 : 3));
const clients = 6;
const code = "export default ({ ms = 0 }) => new Promise((done) => setTimeout(done, ms, { ms }))";

describe("webhooks of a service that is killed", () => {
  let receiver: WebhookReceiver;
  let server: Server;
  let other: ReadyService | undefined;
  let tool: string;
  let secret: string;
  /** The IDs of the requests that the receiver accepted, by run. */
  const accepted = new Map<string, Set<string>>();

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    server = await startServer({ EGRESS_PRIVATE_HOSTS: receiver.host });
    if (dialect === "postgres") other = await startSecondNode(server);
    tool = await server.makeTool(code);
    const created = await server.callAsOwner("POST", "/webhooks", { url: receiver.url });
    ({ secret } = expectStatus(201, created).body as { secret: string });
  });
  afterAll(async () => {
    if (other !== undefined) await endService(other, "SIGTERM");
    await server?.stop();
    await receiver?.close();
  });

  const accept: WebhookReceiver["respond"] = (request, response) => {
    const { runId } = request.event.data;
    verifyWebhook(secret, request);
    accepted.set(runId, (accepted.get(runId) ?? new Set()).add(request.id));
    response.writeHead(204).end();
  };
  /** The IDs of all runs that have ended. */
  const endedRuns = async () => {
    const ids: string[] = [];
    for (let path: string | undefined = "/runs?limit=200"; path !== undefined;) {
      const page = expectStatus(200, await server.call("GET", path));
      const runs = page.body as { runId: string; status: string }[];
      if (runs.some(({ status }) => status === "running")) return undefined;
      ids.push(...runs.map(({ runId }) => runId));
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
      path = next === undefined ? undefined : next.slice(next.indexOf("/runs"));
    }
    return ids;
  };

  test("delivers each event once while nothing fails", async () => {
    receiver.respond = accept;
    const callOther = createCall(
      () => (other ?? server).baseUrl,
      () => ({ authorization: `Bearer ${server.apiKey}` }),
    );
    const runs = Array.from({ length: 60 }, (_, index) =>
      (index % 2 === 0 ? server.call : callOther)("POST", `/run/${tool}`, {}),
    );
    for (const answer of await Promise.all(runs)) expectStatus(200, answer);
    await receiver.wait(60);
    await sleep(2_000);
    expect([receiver.received.length, accepted.size]).toEqual([60, 60]);
  });

  test(
    "loses no event, and repeats its ID, although half of the requests fail",
    { timeout: 300_000 },
    async () => {
      const failed = new Set<string>();
      receiver.respond = (request, response) => {
        if (randomInt(2) === 0 && !failed.has(request.id)) {
          failed.add(request.id);
          // Some receivers fail after they have processed the event.
          if (randomInt(2) === 0) response.socket?.destroy();
          else response.writeHead(503).end();
        } else accept(request, response);
      };
      const load = { isOver: false };
      const clientLoop = async () => {
        while (!load.isOver) {
          await server.call("POST", `/run/${tool}`, { ms: randomInt(100) }).catch(() => sleep(50));
        }
      };
      const loops = Array.from({ length: clients }, clientLoop);
      for (let kill = 0; kill < kills; kill++) {
        await sleep(randomInt(500, 3_000));
        await server.end("SIGKILL");
        await server.startAgain();
      }
      await sleep(1_000);
      load.isOver = true;
      await Promise.all(loops);
      const ended = await until("all runs have ended", 60_000, endedRuns);
      expect(ended.length).toBeGreaterThan(60 + kills);
      // Deliveries of a killed node are taken over at the end of their leases.
      await until("all events are accepted", 120_000, async () =>
        ended.every((runId) => accepted.has(runId)),
      );
      for (const runId of ended) expect([runId, accepted.get(runId)?.size]).toEqual([runId, 1]);
      const [webhook] = (await server.callAsOwner("GET", "/webhooks")).body;
      expect(webhook).toMatchObject({ enabled: true, dead: 0 });
      const requests = receiver.received.length - 60;
      process.stderr.write(
        `${kills} kills: ${ended.length} events, ${failed.size} failed first, ${requests} requests after the first 60, 0 lost\n`,
      );
    },
  );
});
