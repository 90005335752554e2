import type { ToolSummary } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

type Headers = Record<string, string>;
const code = "export default ({ fail }) => { if (fail) throw new Error('no'); return {}; };";
const asPerson = async (role: string, workspaceId = test.workspaceId) => {
  const { apiKey, userId } = await test.addPerson(workspaceId, role);
  return { headers: { authorization: `Bearer ${apiKey}` } as Headers, userId };
};
const summaries = async (query = "", headers?: Headers): Promise<ToolSummary[]> => {
  const { body, status, text } = await test.call(
    "GET",
    `/tools/summaries${query}`,
    undefined,
    headers,
  );
  if (status !== 200) throw new Error(text);
  return body;
};
const names = async (query: string, headers?: Headers) =>
  (await summaries(query, headers)).map(({ name }) => name);
const setTags = (name: string, tags: unknown, headers?: Headers) =>
  test.call("PUT", `/tools/${name}/tags`, { tags }, headers);

describe("tags", () => {
  it("shows tags to members, and not to other workspaces or in definitions", async () => {
    const name = await test.makeTool(code, { visibility: "public" });
    const set = await setTags(name, ["orders", "customer-care", "orders"]);
    expect([set.status, set.body]).toEqual([200, { tags: ["customer-care", "orders"] }]);
    const member = await asPerson("member");
    expect((await test.call("GET", "/tags", undefined, member.headers)).body).toEqual({
      tags: ["customer-care", "orders"],
    });
    expect(await names("?tag=orders", member.headers)).toEqual([name]);
    expect((await setTags(name, [], member.headers)).body.code).toBe("insufficient_scope");
    const other = await asPerson("owner", await test.addWorkspace());
    expect((await setTags(name, ["x"], other.headers)).body.code).toBe("tool_not_found");
    await test.call("POST", `/tools/${name}/install`, { version: 1 }, other.headers);
    expect((await summaries("", other.headers))[0]).toMatchObject({ tags: [], ownerId: null });
    expect((await setTags(name, ["theirs"], other.headers)).status).toBe(200);
    expect((await test.call("GET", "/tags")).body.tags).not.toContain("theirs");
    expect((await test.call("GET", `/tools/${name}`)).body).not.toHaveProperty("tags");
    await setTags(name, []);
    expect((await test.call("GET", "/tags")).body).toEqual({ tags: [] });
  });

  it("finds the tools of a tag and of the levels below it", async () => {
    const [refund, invoice] = [await test.makeTool(code), await test.makeTool(code)];
    await setTags(refund, ["billing/refunds"]);
    await setTags(invoice, ["billing-old"]);
    expect(await names("?tag=billing")).toEqual([refund]);
    expect(await names("?tag=billing/refunds")).toEqual([refund]);
    for (const tags of [["/billing"], ["billing/"], ["billing//refunds"]]) {
      expect([tags, (await setTags(refund, tags)).status]).toEqual([tags, 400]);
    }
    await setTags(refund, []);
    await setTags(invoice, []);
  });

  it("refuses other forms, and more than ten", async () => {
    const name = await test.makeTool(code);
    for (const tags of [["Orders"], ["a b"], ["-a"], [""], ["a".repeat(41)], "a"]) {
      expect([tags, (await setTags(name, tags)).status]).toEqual([tags, 400]);
    }
    const many = Array.from({ length: 11 }, (_, at) => `t${at}`);
    expect((await setTags(name, many)).status).toBe(400);
    expect((await setTags(name, ["größe-2", "日本"])).status).toBe(200);
  });

  it("hides tags of other users' private tools", async () => {
    const builder = await asPerson("builder");
    const secret = await test.makeTool(code, { visibility: "private" });
    await setTags(secret, ["secret-plan"]);
    expect((await test.call("GET", "/tags", undefined, builder.headers)).body.tags).not.toContain(
      "secret-plan",
    );
    expect((await setTags(secret, ["x"], builder.headers)).body.code).toBe("tool_not_found");
  });
});

describe("preferences", () => {
  it("returns what the user has set in this workspace, and changes the given fields only", async () => {
    const one = await asPerson("member");
    const two = await asPerson("member");
    const put = (body: object) => test.call("PUT", "/preferences", body, one.headers);
    await put({ favorites: ["a_1"] });
    const views = [{ name: "Failing", search: { state: "failing" } }];
    expect((await put({ views, isChecklistDismissed: true })).status).toBe(200);
    const own = await test.call("GET", "/preferences", undefined, one.headers);
    expect(own.body).toEqual({ favorites: ["a_1"], views, isChecklistDismissed: true });
    const other = await test.call("GET", "/preferences", undefined, two.headers);
    expect(other.body).toEqual({ favorites: [], views: [], isChecklistDismissed: false });
    expect((await put({ favorites: Array(201).fill("a") })).status).toBe(400);
    expect((await put({ color: "red" })).status).toBe(400);
    const parameters = Array.from({ length: 21 }, (_, at) => [`p${at}`, "x"]);
    const search = Object.fromEntries(parameters);
    expect((await put({ views: [{ name: "Many", search }] })).status).toBe(400);
  });
});

describe("PUT /preferences", () => {
  it("keeps what another request changes at the same time", async () => {
    const { headers } = await asPerson("member");
    const views = [{ name: "Failing", search: { state: "failing" } }];
    const bodies = [{ favorites: ["a_1"] }, { views }, { isChecklistDismissed: true }];
    const responses = await Promise.all(
      bodies.map((body) => test.call("PUT", "/preferences", body, headers)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body } = await test.call("GET", "/preferences", undefined, headers);
    expect(body).toEqual({ favorites: ["a_1"], views, isChecklistDismissed: true });
  });

  it("succeeds for each of many simultaneous requests", async () => {
    const { headers } = await asPerson("member");
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        test.call("PUT", "/preferences", { favorites: [`a_${at}`] }, headers),
      ),
    );
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe("GET /tools/summaries", () => {
  it("returns facts of visible runs, filtered and sorted, in pages", async () => {
    const workspaceId = await test.addWorkspace();
    const { headers, userId } = await asPerson("owner", workspaceId);
    const other = await asPerson("member", workspaceId);
    const create = async (title: string, more: object = {}) => {
      const source = { language: "typescript", code };
      const inputSchema = { type: "object" };
      const body = { title, description: "Test.", inputSchema, source, ...more };
      return (await test.call("POST", "/tools", body, headers)).body.name as string;
    };
    const good = await create("Zebra");
    const bad = await create("apple");
    const unused = await create("Mango", { visibility: "private" });
    const run = (name: string, input: object, as = headers) =>
      test.call("POST", `/run/${name}`, input, as);
    await run(good, {});
    await run(good, {}, other.headers);
    await run(bad, { fail: true });
    await test.call("PUT", "/preferences", { favorites: [bad] }, headers);

    const all = await summaries("?sort=name", headers);
    expect(all.map(({ title }) => title)).toEqual(["apple", "Mango", "Zebra"]);
    expect(all[0]).toMatchObject({
      name: bad,
      ownerId: userId,
      isFavorite: true,
      runs: { completed: 0, failed: 1, perDay: [0, 0, 0, 0, 0, 0, 1] },
    });
    expect(all[1]).toMatchObject({ lastRunAt: null, visibility: "private" });
    expect(await names("?sort=runs", headers)).toEqual([good, bad, unused]);
    expect(await names("?sort=success", headers)).toEqual([good, bad, unused]);
    expect(await names("?state=failing", headers)).toEqual([bad]);
    expect(await names("?state=unused", headers)).toEqual([unused]);
    expect(await names("?origin=favorites", headers)).toEqual([bad]);
    expect(await names("?origin=recent", headers)).toEqual([bad, good]);
    expect(await names("?origin=recent", other.headers)).toEqual([good]);
    expect(await names("?visibility=private", headers)).toEqual([unused]);
    expect(await names("", other.headers)).toEqual([bad, good]);
    const page = await test.call("GET", "/tools/summaries?limit=2&sort=name", undefined, headers);
    const next = /cursor=([^&>]+)/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    expect(await names(`?limit=2&sort=name&cursor=${next}`, headers)).toEqual([good]);
    expect((await test.call("GET", "/tools/summaries?sort=color", undefined, headers)).status).toBe(
      400,
    );
  });

  it("does not count private runs of others", async () => {
    const workspaceId = await test.addWorkspace();
    const { headers } = await asPerson("owner", workspaceId);
    const other = await asPerson("member", workspaceId);
    const body = {
      title: "Counted",
      description: "Test.",
      inputSchema: { type: "object" },
      source: { language: "typescript", code },
      visibility: "private",
    };
    const { name } = (await test.call("POST", "/tools", body, headers)).body;
    await test.call("POST", `/run/${name}`, {}, headers);
    await test.call("PATCH", `/tools/${name}`, { visibility: "workspace" }, headers);
    expect((await summaries("", headers))[0]?.runs.completed).toBe(1);
    expect((await summaries("", other.headers))[0]?.runs.completed).toBe(0);
  });
});
