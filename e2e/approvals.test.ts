import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toolApprovals } from "@toolhost/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectProblem } from "./src/expect-problem.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let received = 0;
const upstream = createServer((_, response) => {
  received += 1;
  response.end("ok");
});
let server: Server;
let host: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    upstream.listen(0, "127.0.0.1", resolve);
  });
  const { port } = upstream.address() as AddressInfo;
  host = `http://127.0.0.1:${port}`;
  server = await startServer({ EGRESS_PRIVATE_HOSTS: `127.0.0.1:${port}` });
});
afterAll(async () => {
  await server?.stop();
  upstream.closeAllConnections();
  upstream.close();
});

test(
  "a new version that adds a host gets no secret before that change was approved",
  proves("credentials.approvals", "error.version_not_live"),
  async () => {
    const draft = { name: "SERVICE_KEY", value: "sk-approved-or-not", hosts: [host] };
    expectStatus(201, await server.call("POST", "/credentials", { ...draft, owner: "workspace" }));
    const tool = await server.makeTool(
      `export default async ({ url }, ctx) => {
        await fetch(url, { headers: { "x-key": ctx.credentials.SERVICE_KEY } });
        return {};
      }`,
      { allowedHosts: [host], credentials: [{ name: "SERVICE_KEY", hosts: [host] }] },
    );
    expect((await server.run(tool, { url: host })).body.status).toBe("completed");
    const author = await server.createKey({
      name: "Writes tools and may not touch credentials",
      scopes: ["mcp:read", "mcp:execute", "tools:write"],
    });
    const patch = { allowedHosts: [host, "collector.example.com"] };
    const asAuthor = server.callWithKey(author.key);
    expectStatus(200, await asAuthor("PATCH", `/tools/${tool}`, patch));
    received = 0;
    const refused = await server.run(tool, { url: host });
    expectProblem(refused, "credentials_missing");
    expect(refused.body.missing).toMatchObject([
      {
        name: "SERVICE_KEY",
        reason: "not_approved",
        new: { allowedHosts: ["collector.example.com"] },
      },
    ]);
    expect(received).toBe(0);
    const path = `/tools/${tool}/approvals`;
    expectProblem(await asAuthor("POST", path, { version: 2 }), "insufficient_scope");
    const request = { version: 1, owner: "workspace" };
    expectProblem(await server.call("POST", path, request), "version_not_live");
    expectStatus(200, await server.call("POST", path, { ...request, version: 2 }));
    const shown = toolApprovals.parse((await server.call("GET", path)).body);
    expect(shown.approvals.find(({ owner }) => owner === "workspace")?.covered).toBe(true);
    expect((await server.run(tool, { url: host })).body.status).toBe("completed");
    expectStatus(204, await server.call("DELETE", `${path}?owner=workspace`));
    expectProblem(await server.run(tool, { url: host }), "credentials_missing");
    const events = await server.call("GET", `/audit-events?target=${tool}`);
    const actions = events.body.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 2)).toEqual(["tool.approval_withdraw", "tool.approve"]);
  },
);
