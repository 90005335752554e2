import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeRegistry } from "#testing/fake-registry";
import type { FakeRegistry } from "#testing/fake-registry";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let registry: FakeRegistry;
let test: TestService;
beforeAll(async () => {
  registry = await startFakeRegistry();
  test = await startTestService({ npm_config_registry: registry.url });
});
afterAll(async () => {
  await test.stop();
  await registry.close();
});

const newest = (name: string, service = test, headers = {}) =>
  service.call("GET", `/packages/newest?name=${encodeURIComponent(name)}`, undefined, headers);

describe("GET /packages/newest", () => {
  it.each([
    ["the version with the tag latest", {}, { latest: "1.2.0" }, "1.2.0"],
    ["the highest release without the tag", {}, { latest: undefined }, "2.0.0"],
    ["no deprecated release without the tag", { deprecated: "no" }, { latest: undefined }, "1.2.0"],
  ])("returns %s", async (title, manifest, tags, version) => {
    const name = `@scope/${title.replaceAll(" ", "-").toLowerCase()}`;
    const versions = { "1.2.0": {}, "2.0.0": { manifest }, "3.0.0-beta.1": {} };
    registry.addVersions(name, versions, tags as Record<string, string>);
    expect((await newest(name)).body).toEqual({ name, version });
  });

  it("returns a version that a tool can declare, and whose types can be read", async () => {
    registry.add("declared", { "index.d.ts": "export declare const one: 1;" });
    const { version } = (await newest("declared")).body;
    const source = { dependencies: { declared: version } };
    const { id } = (await test.call("POST", "/drafts", { definition: { source } })).body;
    const { packages } = (await test.call("GET", `/drafts/${id}/package-types`)).body;
    expect(packages).toEqual([{ name: "declared", version: "1.0.0", types: "there" }]);
  });

  it.each([
    "../etc",
    "@a/../b",
    "a b",
    "A",
    "file:/etc",
    "https://evil.test/",
    "",
    "a".repeat(215),
  ])("returns invalid_request for the name %j", async (name) => {
    const before = registry.requests.length;
    expect((await newest(name)).body).toMatchObject({
      code: "invalid_request",
      errors: [{ path: "/name" }],
    });
    expect(registry.requests).toHaveLength(before);
  });

  it.each(["fs", "child_process", "events"])(
    "returns invalid_request for the Node.js module %s",
    async (name) => {
      registry.add(name, {});
      const { status, body } = await newest(name);
      expect([status, body.code]).toEqual([400, "invalid_request"]);
      expect(body.detail).toBe(`"${name}" is a module of Node.js, which a package can't replace.`);
      expect(registry.requests.map(({ path }) => path)).not.toContain(`/${name}`);
    },
  );

  it("returns not_found without the package, or without a version that a tool can declare", async () => {
    registry.addVersions("odd", { latest: {}, "1.0.0-x.y_z": {} }, { latest: "1.0.0-x.y_z" });
    for (const name of ["missing", "odd"]) {
      const { status, body } = await newest(name);
      expect([status, body.code]).toEqual([404, "not_found"]);
      expect(body.detail).toContain(`no package "${name}"`);
    }
  });

  it.each(["not JSON", "[]", '{"versions":{"1.0.0":7},"dist-tags":{"latest":"1.0.0"}}'])(
    "returns invalid_tool for the metadata %j",
    async (metadata) => {
      const name = `broken-${metadata.length}`;
      registry.on(`/${name}`, (_, response) => response.end(metadata));
      const { status, body } = await newest(name);
      expect([status, body.code]).toEqual([400, "invalid_tool"]);
    },
  );

  it("returns unavailable when the registry can't be reached", async () => {
    const closed = await startFakeRegistry();
    await closed.close();
    const service = await startTestService({ npm_config_registry: closed.url });
    try {
      const { status, body, headers } = await newest("zod", service);
      expect([status, body.code]).toEqual([503, "unavailable"]);
      expect(headers.get("retry-after")).toBe("30");
    } finally {
      await service.stop();
    }
  });

  it("requires tools:write, and is limited like builds", async () => {
    registry.add("plain", {});
    const service = await startTestService({
      npm_config_registry: registry.url,
      RATE_LIMIT_BUILDS_PER_MINUTE: "2",
    });
    try {
      const key = await service.callAsOwner("POST", "/api-keys", {
        name: "Reader",
        scopes: ["mcp:read", "mcp:execute"],
      });
      const reader = { authorization: `Bearer ${key.body.key}` };
      expect((await newest("plain", service, reader)).body.code).toBe("insufficient_scope");
      expect((await newest("plain", service)).status).toBe(200);
      expect((await newest("plain", service)).status).toBe(200);
      expect((await newest("plain", service)).body.code).toBe("rate_limited");
    } finally {
      await service.stop();
    }
  });
});
