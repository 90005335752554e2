import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "./client.ts";
import { allItemsQuery, createQueryClient, itemQuery, listQuery } from "./queries.ts";

const requests: { url: URL; init: RequestInit }[] = [];
const responses: Response[] = [];

beforeEach(() => {
  requests.length = 0;
  responses.length = 0;
  vi.stubGlobal("location", { origin: "https://toolhost.example" });
  vi.stubGlobal("sessionStorage", { getItem: () => "workspace-1" });
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("fetch", async (url: URL, init: RequestInit) => {
    requests.push({ url, init });
    return responses.shift() ?? Response.json({});
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("api", () => {
  it("encodes path parameters", async () => {
    await api.get("/tools/{name}", { params: { name: "a/b?c#d é" } });
    expect(requests[0]?.url.href).toBe(
      "https://toolhost.example/api/v1/tools/a%2Fb%3Fc%23d%20%C3%A9",
    );
  });

  it("repeats array parameters of a query, and leaves out empty ones", async () => {
    const toolName = ["one", "two"];
    await api.get("/tool-activity", { query: { toolName } });
    expect(requests[0]?.url.search).toBe("?toolName=one&toolName=two");
    await api.getPage("/tools", { query: { q: "", limit: 5 } }).catch(() => undefined);
    expect(requests[1]?.url.search).toBe("?limit=5");
  });

  it("sends the workspace and an Idempotency-Key, and returns undefined for an empty response", async () => {
    responses.push(new Response(null, { status: 204 }));
    expect(await api.send("DELETE /tools/{name}", { params: { name: "a_bcde" } })).toBeUndefined();
    expect(requests[0]?.init.method).toBe("DELETE");
    expect(requests[0]?.init.headers).toMatchObject({
      "x-workspace-id": "workspace-1",
      "idempotency-key": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  it("returns the cursor of the Link header with a page", async () => {
    const link = '<https://toolhost.example/api/v1/tools?cursor=abc>; rel="next"';
    responses.push(Response.json([], { headers: { link } }));
    expect(await api.getPage("/tools")).toEqual({ items: [], next: "abc" });
  });
});

describe("api.send", () => {
  const keyAt = (index: number) =>
    new Headers(requests.at(index)?.init.headers).get("idempotency-key");
  const create = (name: string) =>
    api.send("POST /api-keys", { body: { name, scopes: ["mcp:read"] } });
  const lose = () => {
    vi.useFakeTimers();
    const connected = fetch;
    vi.stubGlobal("fetch", async (url: URL, init: RequestInit) => {
      await connected(url, init);
      throw new TypeError("Failed to fetch");
    });
    return () => vi.stubGlobal("fetch", connected);
  };
  const failToCreate = async (name: string) => {
    const failed = create(name).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await failed).toMatchObject({ code: "offline" });
  };
  afterEach(() => vi.useRealTimers());

  it("keeps the Idempotency-Key of a write whose response was lost, until it is confirmed", async () => {
    const reconnect = lose();
    await failToCreate("Lost");
    expect(new Set(requests.map((_, index) => keyAt(index))).size).toBe(1);
    reconnect();
    responses.push(Response.json({ code: "unauthenticated" }, { status: 401 }));
    await expect(create("Lost")).rejects.toMatchObject({ status: 401 });
    await create("Lost");
    expect([keyAt(-1), keyAt(-2)]).toEqual([keyAt(0), keyAt(0)]);
    await create("Lost");
    expect(keyAt(-1)).not.toBe(keyAt(0));
  });

  it("sends another write, and the same one after another, with a new Idempotency-Key", async () => {
    const reconnect = lose();
    await failToCreate("First");
    const [lost] = requests.map((_, index) => keyAt(index));
    reconnect();
    await create("Second");
    expect(keyAt(-1)).not.toBe(lost);
    await create("First");
    expect(keyAt(-1)).not.toBe(lost);
  });

  it("sends a write again if its response breaks off", async () => {
    const body = new ReadableStream({
      start: (controller) => controller.error(new TypeError("network error")),
    });
    responses.push(new Response(body, { status: 201 }));
    await create("Broken off");
    expect(requests).toHaveLength(2);
    expect(keyAt(1)).toBe(keyAt(0));
  });
});

describe("itemQuery", () => {
  it("returns keys that start with the segments of the path", () => {
    expect(itemQuery("/tools/{name}", { params: { name: "a_bcde" } }).queryKey).toEqual([
      "tools",
      "a_bcde",
      {},
    ]);
    const query = { limit: 5 };
    expect(
      listQuery("/tools/{name}/versions", { params: { name: "a_bcde" }, query }).queryKey,
    ).toEqual(["tools", "a_bcde", "versions", "pages", query]);
  });
});

describe("allItemsQuery", () => {
  it("reads all pages of a list", async () => {
    const link = '<https://toolhost.example/api/v1/tools?cursor=abc>; rel="next"';
    responses.push(Response.json([{ name: "first" }], { headers: { link } }));
    responses.push(Response.json([{ name: "second" }]));
    const all = await createQueryClient().fetchQuery(allItemsQuery("/tools"));
    expect(all.map(({ name }) => name)).toEqual(["first", "second"]);
    expect(requests.map(({ url }) => url.search)).toEqual(["?limit=200", "?limit=200&cursor=abc"]);
  });
});
