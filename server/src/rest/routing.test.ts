import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

describe("a path that also matches a route with a parameter", () => {
  it("has only the methods of the route that names it", async () => {
    const path = `/workspaces/${test.workspaceId}/chat/platforms`;
    expect((await test.callAsOwner("GET", path)).status).toBe(200);
    for (const method of ["PATCH", "DELETE", "PUT"]) {
      const { status, headers } = await test.callAsOwner(method, path, {});
      expect([method, status, headers.get("allow")]).toEqual([method, 405, "GET, HEAD, OPTIONS"]);
    }
  });
});

describe("an unknown query parameter", () => {
  it.each([
    ["GET", "/runs?order=name", "order"],
    ["GET", "/me?limit=5", "limit"],
    ["POST", "/upload?filename=a.txt", "filename"],
  ])("is refused in %s %s", async (method, path, name) => {
    const body = method === "GET" ? undefined : { fileName: "a", mimeType: "a/b", size: 1 };
    expect(await test.call(method, path, body)).toMatchObject({
      status: 400,
      body: {
        code: "invalid_request",
        detail: expect.stringContaining(`no query parameter \`${name}\``) as string,
        errors: [{ path: `/${name}` }],
      },
    });
  });
});
