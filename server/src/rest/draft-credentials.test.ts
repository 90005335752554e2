import type { RequestListener } from "node:http";
import { plainUpstream } from "@toolhost/sandbox/testing";
import type { Upstream } from "@toolhost/sandbox/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let received: string[] = [];
let upstream: Upstream;
const listener: RequestListener = (request, response) => {
  received.push(String(request.headers.authorization));
  response.end("{}");
};

let test: TestService;
let host: string;
beforeAll(async () => {
  upstream = await plainUpstream(listener);
  host = `http://127.0.0.1:${upstream.port}`;
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: `127.0.0.1:${upstream.port}` });
  await test.call("POST", "/credentials", {
    name: "SHARED_KEY",
    value: "the-workspace's-secret",
    owner: "workspace",
    hosts: [host],
  });
});
afterAll(async () => {
  await test.stop();
  upstream.close();
});
beforeEach(() => {
  received = [];
});

type Headers = Record<string, string>;
const asPerson = async (role: string) => {
  const person = await test.addPerson(test.workspaceId, role);
  return { ...person, headers: { authorization: `Bearer ${person.apiKey}` } };
};
const definition = (name: string, hosts = [host]) => ({
  ...draftOf(`export default async ({ url }, ctx) => {
    const headers = { authorization: ctx.authorization.bearer(ctx.credentials.${name}) };
    await fetch(url, { headers });
    return {};
  };`),
  allowedHosts: hosts,
  credentials: [{ name, hosts }],
});
const begin = async (body: object, headers?: Headers): Promise<string> => {
  const created = await test.call("POST", "/drafts", body, headers);
  if (created.status !== 201) throw new Error(created.text);
  return String(created.body.id);
};
const run = (id: string, headers?: Headers) =>
  test.call("POST", `/drafts/${id}/run`, { url: host }, headers);
const lackOf = async (id: string, headers?: Headers) => {
  const { status, body } = await run(id, headers);
  expect([status, body.code, received]).toEqual([422, "credentials_missing", []]);
  return body.missing[0] as { reason: string; owner: string; connectUrl: string };
};

describe("a run of a draft", () => {
  it("uses the author's credentials that the saved definition declares", async () => {
    const { headers } = await asPerson("builder");
    const id = await begin({ definition: definition("OWN_KEY") }, headers);
    expect(await lackOf(id, headers)).toMatchObject({ reason: "missing" });
    const own = { name: "OWN_KEY", value: "my-own-secret", hosts: [host] };
    await test.call("POST", "/credentials", own, headers);
    expect((await run(id, headers)).body.status).toBe("completed");
    expect(received).toEqual(["Bearer my-own-secret"]);
    const { body: events } = await test.call("GET", `/audit-events?action=tool.approve`);
    // The owner of the workspace sees the event, but not what the draft needs.
    expect(events[0]).toMatchObject({
      target: `draft-${id}`,
      hidden: true,
      details: { draft: true },
    });
    expect(JSON.stringify(events[0])).not.toContain("OWN_KEY");
  });

  it("is recorded as approved once, until it needs more", async () => {
    const id = await begin({ definition: definition("SHARED_KEY") });
    const events = async () => {
      const { body } = await test.callAsOwner("GET", "/audit-events?action=tool.approve&limit=200");
      const all = body as unknown as { target: string; details: object }[];
      return all.filter(({ target }) => target === `draft-${id}`).map(({ details }) => details);
    };
    await run(id);
    expect(await events()).toMatchObject([{ version: 1, owner: "user workspace", how: "save" }]);
    const { source } = definition("SHARED_KEY");
    const change = async (revision: number, hosts: string[], comment: string) => {
      const code = `${source.code}\n// ${comment}`;
      const changed = { ...definition("SHARED_KEY", hosts), source: { ...source, code } };
      const saved = await test.call("PUT", `/drafts/${id}`, { revision, definition: changed });
      expect(saved.status).toBe(200);
      expect((await run(id)).body.status).toBe("completed");
    };
    await change(1, [host], "changed");
    expect(await events()).toHaveLength(1);
    await change(2, [host, "other.example.com"], "changed");
    expect(await events()).toHaveLength(2);
  });

  it("uses workspace credentials only if the author can approve them", async () => {
    const builder = await asPerson("builder");
    const theirs = await begin({ definition: definition("SHARED_KEY") }, builder.headers);
    expect(await lackOf(theirs, builder.headers)).toEqual(
      expect.objectContaining({
        reason: "not_approved",
        owner: "workspace",
        connectUrl: `${test.baseUrl}/drafts/${theirs}?approve&owner=workspace&workspace=${test.workspaceId}`,
      }),
    );
    const admin = await asPerson("admin");
    const id = await begin({ definition: definition("SHARED_KEY") }, admin.headers);
    expect((await run(id, admin.headers)).body.status).toBe("completed");
    expect(received).toEqual(["Bearer the-workspace's-secret"]);
    received = [];
    // A user who is no longer an admin loses the access that they granted to their draft.
    const { db } = test.service.context;
    const demote = db.kysely
      .updateTable("members")
      .set({ role: "builder" })
      .where("user_id", "=", admin.userId);
    await demote.execute();
    expect(await lackOf(id, admin.headers)).toMatchObject({ reason: "not_approved" });
  });

  it("uses workspace credentials that its tool is approved for, until the approval is withdrawn", async () => {
    const name = await test.makeTool("export default () => ({});", {
      allowedHosts: [host],
      credentials: [{ name: "SHARED_KEY", hosts: [host] }],
    });
    const { headers } = await asPerson("builder");
    const same = await begin({ toolName: name, definition: definition("SHARED_KEY") }, headers);
    expect((await run(same, headers)).body.status).toBe("completed");
    expect(received).toEqual(["Bearer the-workspace's-secret"]);
    received = [];
    const more = definition("SHARED_KEY", [host, "collector.example.com"]);
    const wider = await begin({ toolName: name, definition: more }, headers);
    expect(await lackOf(wider, headers)).toMatchObject({ reason: "not_approved" });
    await test.call("DELETE", `/tools/${name}/approvals?owner=workspace`);
    expect(await lackOf(same, headers)).toMatchObject({ reason: "not_approved" });
  });

  it("uses no credentials if the draft was saved with a key without credentials:write", async () => {
    await test.call("POST", "/credentials", {
      name: "MINE",
      value: "my-secret-value",
      hosts: [host],
    });
    const made = await test.callAsOwner("POST", "/api-keys", {
      name: "Runs",
      scopes: ["tools:write", "mcp:execute", "mcp:read"],
    });
    const headers = { authorization: `Bearer ${made.body.key}` };
    const mine = await begin({ definition: definition("MINE") }, headers);
    expect(await lackOf(mine, headers)).toMatchObject({ reason: "not_approved", owner: "user" });
    expect(await lackOf(mine)).toMatchObject({ reason: "not_approved", owner: "user" });
    const shared = await begin({ definition: definition("SHARED_KEY") }, headers);
    expect(await lackOf(shared, headers)).toMatchObject({ owner: "workspace" });
  });

  it("creates no approval for the tool itself", async () => {
    const name = await test.makeTool("export default () => ({});");
    await test.call("POST", "/credentials", {
      name: "FOR_DRAFT",
      value: "draft-secret",
      hosts: [host],
    });
    const id = await begin({ toolName: name, definition: definition("FOR_DRAFT") });
    expect((await run(id)).body.status).toBe("completed");
    const { body } = await test.call("GET", `/tools/${name}/approvals`);
    expect(body.approvals.map(({ approved }: { approved: unknown }) => approved)).toEqual([
      null,
      null,
    ]);
  });
});
