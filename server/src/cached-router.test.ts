import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { CachedRouter } from "./cached-router.ts";

describe("CachedRouter", () => {
  const app = new Hono({ router: new CachedRouter() });
  app.get("/tools/:name", (c) => c.json({ get: c.req.param("name") }));
  app.post("/tools/:name", (c) => c.json({ post: c.req.param("name") }));
  app.get("/tools/:name/versions/*", (c) => c.json({ versions: c.req.path }));
  const request = async (method: string, path: string) => {
    const response = await app.request(path, { method });
    return response.status === 200 ? await response.json() : response.status;
  };

  it("matches a path by its method and parameters, each time", async () => {
    for (let time = 0; time < 2; time++) {
      expect(await request("GET", "/tools/a")).toEqual({ get: "a" });
      expect(await request("POST", "/tools/a")).toEqual({ post: "a" });
      expect(await request("GET", "/tools/b")).toEqual({ get: "b" });
      expect(await request("GET", "/tools/a/versions/1")).toEqual({
        versions: "/tools/a/versions/1",
      });
      expect(await request("DELETE", "/tools/a")).toBe(404);
    }
  });

  it("matches more paths than it remembers", async () => {
    for (let number = 0; number < 2_500; number++) {
      expect(await request("GET", `/tools/t${number}`)).toEqual({ get: `t${number}` });
    }
    expect(await request("GET", "/tools/t0")).toEqual({ get: "t0" });
  });
});
