import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "./src/database.ts";
import { createCall } from "./src/http.ts";
import type { Answer, Call } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { startSecondNode } from "./src/second-node.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";
import { enter } from "./src/sign-in.ts";
import { until } from "./src/until.ts";
import { verifyAudit } from "./src/verify-audit.ts";

const clients = 100;
const code = (version: number) => `export default () => ({ version: ${version} })`;

let server: Server;
let other: ReadyService | undefined;

beforeAll(async () => {
  server = await startServer({
    WORKSPACE_MAX_QUEUED_RUNS: "1000",
    RATE_LIMIT_MAILS_PER_MINUTE: "0",
  });
  if (dialect === "postgres") other = await startSecondNode(server);
});
afterAll(async () => {
  if (other !== undefined) await endService(other, "SIGTERM");
  await server?.stop();
});

/** A new member with an API key. */
async function addMember(): Promise<{ userId: string; keyId: string; key: string }> {
  const email = `${randomUUID()}@example.com`;
  const path = `/workspaces/${server.workspaceId}/invitations`;
  const draft = { email, role: "member" };
  const invited = expectStatus(201, await server.callAsOwner("POST", path, draft));
  const invitation = String(invited.body.url).split("/").at(-1) ?? "";
  const person = { email, password: "correct horse battery", name: "Guest", invitation };
  const cookie = await enter(server.baseUrl, "sign-up", person);
  const call = createCall(
    () => server.baseUrl,
    () => ({ cookie, origin: server.baseUrl, "x-workspace-id": server.workspaceId }),
  );
  const me = expectStatus(200, await call("GET", "/me"));
  const scopes = ["mcp:read", "mcp:execute"];
  const made = expectStatus(201, await call("POST", "/api-keys", { name: "Key", scopes }));
  return { userId: me.body.user.id, keyId: made.body.id, key: made.body.key };
}

type Seen = { sentAt: number; answer: Answer };

/** Sends runs with many clients, to all nodes, while `change` is executed, and returns the answers to those sent after it. */
async function runWhile(key: string, tool: string, change: () => Promise<Answer>): Promise<Seen[]> {
  const baseUrls = [server.baseUrl, ...(other === undefined ? [] : [other.baseUrl])];
  const calls = baseUrls.map((baseUrl): Call =>
    createCall(
      () => baseUrl,
      () => ({ authorization: `Bearer ${key}` }),
    ),
  );
  const seen: Seen[] = [];
  const over = new AbortController();
  const work = async (call: Call) => {
    while (!over.signal.aborted) {
      const sentAt = performance.now();
      seen.push({ sentAt, answer: await call("POST", `/run/${tool}`, {}) });
    }
  };
  const each = clients / calls.length;
  const working = Promise.all(
    calls.flatMap((call) => Array.from({ length: each }, () => work(call))),
  );
  await until("runs have ended", 60_000, () => seen.length >= 2 * clients);
  expect((await change()).status).toBeLessThan(300);
  const changedAt = performance.now();
  const later = () => seen.filter(({ sentAt }) => sentAt > changedAt);
  await until("requests were sent later", 60_000, () => later().length >= 2 * clients);
  over.abort();
  await working;
  const before = seen.filter(({ sentAt }) => sentAt < changedAt);
  expect(before.filter(({ answer }) => answer.status === 200).length).toBeGreaterThan(0);
  return later();
}

/** How often each status and error code, or output, occurs. */
const count = (seen: readonly Seen[]) =>
  Object.fromEntries(
    Map.groupBy(seen, ({ answer: { status, body } }) =>
      status === 200 ? `version ${body.output.version}` : `${status} ${body.code}`,
    )
      .entries()
      .map(([what, all]) => [what, all.length]),
  );

describe(`with ${clients} clients that run a tool, each request after a change`, () => {
  test("is refused if its key was revoked", proves("keys.revoked_alone"), async () => {
    const tool = await server.makeTool(code(1));
    const { key, keyId } = await addMember();
    const later = await runWhile(key, tool, () =>
      server.callAsOwner("DELETE", `/api-keys/${keyId}`),
    );
    expect(count(later)).toEqual({ "401 unauthenticated": later.length });
  });

  test("is refused if the user's role may run nothing", { tags: ["nightly"] }, async () => {
    const tool = await server.makeTool(code(1));
    const { key, userId } = await addMember();
    const path = `/workspaces/${server.workspaceId}/members/${userId}`;
    const change = () => server.callAsOwner("PATCH", path, { role: "viewer" });
    const later = await runWhile(key, tool, change);
    expect(count(later)).toEqual({ "403 insufficient_scope": later.length });
  });

  test("is refused if the user was removed", { tags: ["nightly"] }, async () => {
    const tool = await server.makeTool(code(1));
    const { key, userId } = await addMember();
    const path = `/workspaces/${server.workspaceId}/members/${userId}`;
    const later = await runWhile(key, tool, () => server.callAsOwner("DELETE", path));
    expect(count(later)).toEqual({ "401 unauthenticated": later.length });
  });

  test("finds no tool that was archived", proves("tools.archive"), async () => {
    const tool = await server.makeTool(code(1));
    const { key } = await addMember();
    const later = await runWhile(key, tool, () => server.call("DELETE", `/tools/${tool}`));
    expect(count(later)).toEqual({ "404 tool_not_found": later.length });
  });

  test("runs the new version of a tool", { tags: ["nightly"] }, async () => {
    const tool = await server.makeTool(code(1));
    const { key } = await addMember();
    const source = { language: "typescript", code: code(2) };
    const later = await runWhile(key, tool, () =>
      server.call("PATCH", `/tools/${tool}`, { source }),
    );
    expect(count(later)).toEqual({ "version 2": later.length });
  });

  test(
    "is refused after a revocation, while another process verifies the audit log",
    { tags: ["nightly"] },
    async () => {
      const tool = await server.makeTool(code(1));
      const { key, keyId } = await addMember();
      const later = await runWhile(key, tool, async () => {
        const [verdict, revoked] = await Promise.all([
          verifyAudit({ ...server.settings }),
          server.callAsOwner("DELETE", `/api-keys/${keyId}`),
        ]);
        expect(verdict.printed).not.toContain("INVALID");
        return revoked;
      });
      expect(count(later)).toEqual({ "401 unauthenticated": later.length });
    },
  );
});
