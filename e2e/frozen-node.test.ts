import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCodeStarts } from "./chaos/code-starts.ts";
import { dialect } from "./src/database.ts";
import { createCall } from "./src/http.ts";
import type { Answer, Call } from "./src/http.ts";
import { findQuietPort } from "./src/postgres-server.ts";
import { proves } from "./src/proves.ts";
import { draftOf, expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService, spawnService, whenReady } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";

const sleeper = `export default async ({ n }, ctx) => {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return { n };
};`;

const endOf = ({ runId, status, output, error }: Answer["body"]) => ({
  runId,
  status,
  output,
  error,
});

describe.skipIf(dialect !== "postgres")("a frozen node that counts as offline", () => {
  let one: Server;
  let frozen: ReadyService;
  let callFrozen: Call;

  beforeAll(async () => {
    const [port, otherPort] = [await findQuietPort(), await findQuietPort()];
    one = await startServer({
      PORT: String(port),
      // Both nodes have the same public URL, as behind a load balancer.
      BASE_URL: `http://localhost:${port}`,
      ENCRYPTION_KEY: randomBytes(32).toString("hex"),
      LOG_LEVEL: "debug",
    });
    const own = { PORT: String(otherPort), DATA_DIR: join(one.workDir, "frozen") };
    frozen = await whenReady(spawnService(one.workDir, { ...one.settings, ...own }));
    callFrozen = createCall(
      () => `http://localhost:${otherPort}`,
      () => ({ authorization: `Bearer ${one.apiKey}` }),
    );
  });
  afterAll(async () => {
    if (frozen !== undefined) {
      frozen.signal("SIGCONT");
      await endService(frozen, "SIGTERM");
    }
    await one?.stop();
  });

  const startsOf = (runId: string) =>
    [one.process, frozen]
      .flatMap((service, index) => readCodeStarts(String(index), service.printed().stderr))
      .filter((start) => start.runId === runId)
      .map(({ node, attempt }) => ({ node, attempt }));

  test(
    "returns the recorded results of its runs, ended or run by another node, when it resumes",
    proves("run.terminal", "run.never_twice", "start.nodes", "run_error.sandbox_lost"),
    async () => {
      const plain = await one.makeTool(sleeper);
      const draft = { ...draftOf(sleeper), idempotent: true };
      const repeatable = String(
        expectStatus(201, await one.call("POST", "/tools", draft)).body.name,
      );
      const asked = [plain, repeatable].map((name, n) => {
        const headers = { "idempotency-key": randomUUID(), prefer: "wait=55" };
        const answered = callFrozen("POST", `/run/${name}`, { n }, headers);
        return { name, n, headers, answered };
      });
      await sleep(1_200);
      frozen.signal("SIGSTOP");
      const found = await Promise.all(
        asked.map(async ({ name }) => {
          const { body } = await one.call("GET", `/runs?toolName=${name}`);
          expect(body).toMatchObject([{ status: "running" }]);
          return one.finished(String(body[0].runId));
        }),
      );
      expect(found).toMatchObject([
        { status: "failed", error: { code: "sandbox_lost" } },
        { status: "completed", output: { n: 1 } },
      ]);
      frozen.signal("SIGCONT");

      for (const [index, { name, n, headers, answered }] of asked.entries()) {
        const { runId } = found[index];
        const answer = expectStatus(200, await answered);
        expect(endOf(answer.body)).toEqual(endOf(found[index]));
        const again = await one.call("POST", `/run/${name}`, { n }, headers);
        expect(again.text).toBe(answer.text);
        // The node may still try to write.
        await sleep(2_000);
        expect((await one.call("GET", `/runs/${runId}`)).body).toEqual(found[index]);
        const { body } = await one.call("GET", `/audit-events?target=${runId}`);
        expect(body).toHaveLength(1);
      }
      expect(found.map(({ runId }) => startsOf(String(runId)))).toEqual([
        [{ node: "1", attempt: 1 }],
        [
          { node: "0", attempt: 2 },
          { node: "1", attempt: 1 },
        ],
      ]);
      const { body } = await callFrozen("POST", `/run/${plain}`, { n: 3 });
      expect(body).toMatchObject({ status: "completed", output: { n: 3 } });
    },
  );
});
