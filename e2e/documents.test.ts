import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installInfo, searchResults, skill, toolDetail } from "@toolhost/contract";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "./src/expect-problem.ts";
import { callRaw } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { draftOf, expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { tamper } from "./src/tamper.ts";
import { until } from "./src/until.ts";

let server: Server;
let weatherName: string;

const weather = {
  ...draftOf("export default ({ city }) => ({ celsius: city.length })"),
  title: "Weather forecast",
  description: "Returns the temperature and the chance of rain in a city.",
  inputSchema: {
    type: "object" as const,
    properties: {
      city: { type: "string", description: "Where to look." },
      unit: { type: "string", enum: ["c", "f"], description: "Which | scale.", default: "c" },
    },
    required: ["city"],
  },
  outputSchema: {
    properties: [{ name: "celsius", type: "number" as const, description: "Degrees outside." }],
  },
  examples: [{ input: { city: "Ulm" }, output: { celsius: 3 } }],
};

beforeAll(async () => {
  server = await startServer();
  const { code } = weather.source;
  weatherName = await server.makeTool(code, weather);
  await server.makeTool(code, {
    title: "Currency converter",
    description: "Exchanges euros for yen.",
  });
  await server.makeTool(code, {
    title: "Invoice printer",
    description: "Makes a PDF of an invoice.",
  });
});
afterAll(() => server?.stop());

describe("a tool's documentation", () => {
  test("is an Agent Skill in Markdown", proves("skill.markdown"), async () => {
    const { headers, text } = expectStatus(200, await server.call("GET", `/skill/${weatherName}`));
    expect(headers.get("content-type")).toMatch(/^text\/markdown\b/);
    const frontMatter = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "";
    expect(frontMatter.split("\n").map((line) => line.split(":")[0])).toEqual([
      "name",
      "description",
    ]);
    expect(frontMatter).toMatch(/^name: [a-z0-9]+(?:-[a-z0-9]+)*$/m);
    expect(frontMatter).toContain(weather.description);
    expect(text).toContain("# Weather forecast");
    for (const word of ["city", "Where to look.", "celsius", "Degrees outside.", "Ulm"]) {
      expect(text).toContain(word);
    }
    expect(text).toContain(`${server.baseUrl}/api/v1/run/${weatherName}`);
    for (const usage of [/curl/, /MCP/, /fetch\(/]) expect(text).toMatch(usage);
  });

  test("is returned with its metadata as JSON", proves("skill.json"), async () => {
    const answer = expectStatus(200, await server.call("GET", `/skill/${weatherName}?format=json`));
    const { text } = await server.call("GET", `/skill/${weatherName}?format=markdown`);
    expect(skill.parse(answer.body)).toMatchObject({
      name: weatherName,
      title: weather.title,
      description: weather.description,
      version: 1,
      documentation: text,
      inputSchema: weather.inputSchema,
      outputSchema: weather.outputSchema,
      fileFields: [],
      credentials: [],
      examples: weather.examples,
    });
    expectProblem(await server.call("GET", `/skill/${weatherName}?format=pdf`), "invalid_request");
  });

  test(
    "has a curl example that works once a key is inserted",
    proves("skill.markdown"),
    async () => {
      const { text } = await server.call("GET", `/skill/${weatherName}`);
      const body = /-d '([^']+)'/.exec(text)?.[1] ?? "";
      const { body: run } = await server.run(weatherName, JSON.parse(body));
      expect(run).toMatchObject({ status: "completed", output: { celsius: 3 } });
    },
  );

  test(
    "preserves its structure for hostile titles, descriptions and examples",
    proves("skill.markdown"),
    async () => {
      const name = await server.makeTool(weather.source.code, {
        title: "Odd # title | `code`",
        description: 'Line one: "quoted"\n---\nname: other\n```\n<script>alert(1)</script>',
        examples: [{ input: { note: "```\n# Not a heading" } }],
      });
      const { text } = expectStatus(200, await server.call("GET", `/skill/${name}`));
      const frontMatter = text.slice(4, text.indexOf("\n---\n", 4)).split("\n");
      expect(frontMatter).toHaveLength(2);
      expect(frontMatter[1]).toMatch(/^description: ".*"$/);
    },
  );
});

describe("search", () => {
  const search = async (query: string) =>
    searchResults.parse(expectStatus(200, await server.call("GET", `/skills/search${query}`)).body);

  test(
    "returns the best tools for each query",
    proves("search.shape", "search.queries"),
    async () => {
      const { results } = await search("?q=rain+temperature&q=exchange+money+yen");
      expect(results.map(({ query }) => query)).toEqual(["rain temperature", "exchange money yen"]);
      expect(results.map(({ matches }) => matches[0]?.title)).toEqual([
        "Weather forecast",
        "Currency converter",
      ]);
      for (const { matches } of results) {
        const scores = matches.map(({ score }) => score);
        expect(scores).toEqual([...scores].toSorted((one, other) => other - one));
        expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
      }
      expect(results[0]?.matches[0]?.inputSchema).toEqual(weather.inputSchema);
    },
  );

  test("lists tools without a query", proves("search.queries"), async () => {
    const { results } = await search("?limit=50");
    expect(results).toHaveLength(1);
    const { body } = await server.call("GET", "/tools?limit=50");
    expect(results[0]?.matches.map(({ name }) => name)).toEqual(
      body.map(({ name }: { name: string }) => name),
    );
  });

  test(
    "accepts at most ten queries, and returns at most fifty matches",
    proves("search.limit", "search.queries"),
    async () => {
      const queries = (count: number) =>
        `?${Array.from({ length: count }, (_, n) => `q=word${n}`).join("&")}`;
      expect((await search(queries(10))).results).toHaveLength(10);
      for (const query of [queries(11), "?limit=0", "?limit=51", "?limit=x", "?q=", "?q=%20"]) {
        expectProblem(await server.call("GET", `/skills/search${query}`), "invalid_request");
      }
      expect(
        (await search("?q=a+city+invoice+euros&limit=1")).results[0]?.matches.length,
      ).toBeLessThanOrEqual(1);
    },
  );

  test("returns five matches by default", proves("search.limit"), async () => {
    for (let count = 0; count < 7; count++) {
      await server.makeTool(weather.source.code, { title: `Bicycle part ${count}` });
    }
    expect((await search("?q=bicycle")).results[0]?.matches).toHaveLength(5);
    expect((await search("")).results[0]?.matches).toHaveLength(5);
    expect((await search("?q=bicycle&limit=7")).results[0]?.matches).toHaveLength(7);
  });

  test(
    "reflects a created, changed or archived tool in the next request",
    proves("tools.new_usable_immediately", "search.shape"),
    async () => {
      const first = async (query: string) =>
        (await search(`?q=${query}&limit=50`)).results[0]?.matches.map(({ name }) => name);
      expect(await first("xylophone")).toEqual([]);
      const name = await server.makeTool(weather.source.code, { title: "Xylophone tuner" });
      expect(await first("xylophone")).toEqual([name]);
      await server.call("PATCH", `/tools/${name}`, { title: "Harpsichord tuner" });
      expect(await first("harpsichord")).toEqual([name]);
      expect((await search("?q=harpsichord")).results[0]?.matches[0]).toMatchObject({ version: 2 });
      await server.call("DELETE", `/tools/${name}`);
      expect(await first("harpsichord")).toEqual([]);
    },
  );

  test("accepts any text", proves("error.no_internals"), async () => {
    const odd = [
      "' or 1=1 --",
      '"unbalanced',
      "*",
      "NEAR(a b)",
      "日本語 天気",
      "💥",
      "a".repeat(2_000),
      "a ".repeat(1_000),
    ];
    for (const text of odd) await search(`?q=${encodeURIComponent(text)}`);
    const tooLong = await server.call("GET", `/skills/search?q=${"a".repeat(2_001)}`);
    expectProblem(tooLong, "invalid_request");
    expectProblem(await server.call("GET", "/skills/search?q=%00"), "invalid_request");
  });
});

describe("the OpenAPI document", () => {
  const read = async () => {
    const response = await fetch(`${server.baseUrl}/api/v1/openapi.json`);
    expect(response.status).toBe(200);
    return response.text();
  };

  test("is valid OpenAPI 3.1", proves("openapi.valid"), async () => {
    const text = await read();
    expect(JSON.parse(text).openapi).toMatch(/^3\.1\.\d$/);
    const config = await createConfig({
      extends: ["recommended-strict"],
      // A local server is allowed, and the names of the tags need no description.
      rules: { "no-server-example.com": "off", "tag-description": "off" },
    });
    const problems = await lintFromString({ source: text, config });
    const errors = problems.filter(({ severity }) => severity === "error");
    expect(
      errors.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([]);
  });

  test("is public, at both paths", proves("openapi.valid"), async () => {
    const response = await fetch(`${server.baseUrl}/openapi.json`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(await read());
    expect(response.headers.get("content-type")).toMatch(/^application\/json\b/);
  });

  test(
    "documents only routes that exist, with the responses that they return",
    { ...proves("openapi.complete", "error.method_not_allowed"), tags: ["nightly"] },
    async () => {
      const { paths } = JSON.parse(await read());
      const values: Record<string, string> = {
        name: weatherName,
        toolName: weatherName,
        version: "1",
        token: "never-issued",
      };
      const unknownId = "01900000-0000-7000-8000-000000000000";
      const operations = Object.entries<Record<string, { responses: object }>>(paths).flatMap(
        ([path, methods]) =>
          Object.entries(methods).map(([method, { responses }]) => ({ path, method, responses })),
      );
      expect(operations.length).toBeGreaterThanOrEqual(17);
      for (const { path, method, responses } of operations) {
        const concrete = path.replaceAll(
          /\{(\w+)\}/g,
          (_, name: string) => values[name] ?? unknownId,
        );
        const call = path.startsWith("/api-keys") ? server.callAsOwner : server.call;
        // Other operations need the tool, so it is not deleted.
        const target = method === "delete" ? concrete.replace(weatherName, "none_abcd") : concrete;
        const body = method === "get" || method === "delete" ? undefined : {};
        const { status, body: responseBody, text } = await call(method.toUpperCase(), target, body);
        expect(Object.keys(responses), `${method} ${path} ${text.slice(0, 200)}`).toContain(
          String(status),
        );
        expect([responseBody?.code], `${method} ${path}`).not.toContain("not_allowed");
        expect(status, `${method} ${path}`).not.toBe(405);
        if (status === 404) expect(text, `${method} ${path}`).not.toContain("No route");
        const other = "put" in (paths[path] ?? {}) ? "POST" : "PUT";
        const wrong = await server.call(other, concrete, {});
        expectProblem(wrong, "method_not_allowed");
        const allowed = wrong.headers.get("allow")?.split(", ") ?? [];
        expect(allowed, `${other} ${path}`).toContain(method.toUpperCase());
      }
    },
  );

  test("names the contract's routes", proves("openapi.complete"), async () => {
    const { paths } = JSON.parse(await read());
    const promised = {
      "/tools": ["get", "post"],
      "/tools/{name}": ["delete", "get", "patch"],
      "/tools/{name}/versions": ["get"],
      "/tools/{name}/versions/{version}/restore": ["post"],
      "/run/{toolName}": ["post"],
      "/runs": ["get"],
      "/runs/{runId}": ["get"],
      "/runs/{runId}/logs": ["get"],
      "/runs/{runId}/cancel": ["post"],
      "/upload": ["post"],
      "/files/{fileId}": ["get"],
      "/uploads/{token}": ["put"],
      "/skill/{toolName}": ["get"],
      "/skills/search": ["get"],
      "/api-keys": ["get", "post"],
      "/api-keys/{id}": ["delete"],
      "/audit-events": ["get"],
      "/me": ["delete", "get"],
      "/me/export": ["get"],
      "/sessions": ["get"],
      "/tools/{name}/install": ["delete", "post"],
      "/workspaces": ["get", "post"],
      "/workspaces/{id}": ["delete", "patch"],
      "/workspaces/{id}/members": ["get"],
      "/workspaces/{id}/members/{userId}": ["delete", "patch"],
      "/workspaces/{id}/transfer": ["post"],
      "/workspaces/{id}/invitations": ["get", "post"],
      "/invitations/{token}/accept": ["post"],
    };
    for (const [path, methods] of Object.entries(promised)) {
      expect(Object.keys(paths[path] ?? {}), path).toEqual(expect.arrayContaining(methods));
    }
  });
});

test(
  "documents publicly how to connect agents to this server",
  proves("install.info"),
  async () => {
    const response = await fetch(`${server.baseUrl}/api/v1/install`);
    expect(response.status).toBe(200);
    const info = installInfo.parse(await response.json());
    expect(info.mcpUrl).toBe(`${server.baseUrl}/api/mcp`);
    const commands = info.clients.map(({ snippet }) => snippet?.text);
    expect(commands).toContain(`claude mcp add --transport sse toolhost ${info.mcpUrl}`);
    expectProblem(await server.call("POST", "/install", {}), "method_not_allowed");
  },
);

describe("a health or metrics endpoint", () => {
  test("responds without a key", proves("health.live", "health.ready"), async () => {
    const live = await fetch(`${server.baseUrl}/healthz`);
    expect(live.status).toBe(200);
    const ready = await fetch(`${server.baseUrl}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: "ready",
      database: { ready: true },
      sandbox: { ready: true },
    });
  });

  test("counts requests and runs for Prometheus", proves("health.metrics"), async () => {
    const response = await fetch(`${server.baseUrl}/metrics`);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain\b/);
    const text = await response.text();
    expect(text).toMatch(/^toolhost_http_requests_total\{.*route="\/tools".*\} [1-9]\d*$/m);
    expect(text).toMatch(/^toolhost_sandbox_started_total \d+$/m);
    const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    for (const line of samples) {
      expect(line).toMatch(
        /^[a-zA-Z_:][a-zA-Z0-9_:]*(?:\{.*\})? (?:[-+]?[0-9.e+-]+|NaN|[-+]Inf)(?: \d+)?$/,
      );
    }
    // Unknown paths do not become labels.
    for (const path of ["/made-up-path-9", "/oauth/made-up-path-9", "/oauth/token/made-up-path-9"])
      await callRaw(server.baseUrl, { method: "GET", path });
    expect(await (await fetch(`${server.baseUrl}/metrics`)).text()).not.toContain("made-up-path-9");
  });

  test("sends a request ID, like all responses", proves("error.request_id"), async () => {
    const paths = [
      "/healthz",
      "/readyz",
      "/metrics",
      "/openapi.json",
      "/nothing",
      "/api/v1/tools",
      "/api/auth/get-session",
    ];
    const ids = new Set<string | null>();
    for (const path of paths) {
      ids.add((await fetch(`${server.baseUrl}${path}`)).headers.get("x-request-id"));
    }
    expect(ids.size).toBe(paths.length);
    expect(ids).not.toContain(null);
  });
});

test("returns the address of a tool's page, with its name", proves("tool.fields"), async () => {
  const { body } = await server.call("GET", `/tools/${weatherName}`);
  expect(toolDetail.parse(body).toolUrl).toBe(`${server.baseUrl}/tools/${weatherName}`);
});

test(
  "lists the same settings in docs/reference/configuration.md and .env.example",
  proves("start.env_example"),
  () => {
    const read = (name: string) => readFileSync(join(import.meta.dirname, "..", name), "utf8");
    const listed = new Set(
      [...read(".env.example").matchAll(/^(?:# )?([A-Z][A-Z\d_]+)=/gm)].map(([, name]) => name),
    );
    const rows = read("docs/reference/configuration.md").matchAll(/^\| `([A-Z][A-Z\d_]+)` /gm);
    expect(listed.size).toBeGreaterThan(50);
    expect(new Set([...rows].map(([, name]) => name))).toEqual(listed);
  },
);

test("reports an internal error without details", proves("error.internal"), async () => {
  const rename = (from: string, to: string) =>
    tamper(server, `alter table ${from} rename to ${to}`);
  await rename("drafts", "drafts_elsewhere");
  try {
    const answer = await server.call("GET", "/drafts");
    const { requestId } = expectProblem(answer, "internal");
    expect(answer.text).not.toMatch(/drafts|sql|select|table/i);
    await until("the error is logged", 30_000, () => {
      const { stdout, stderr } = server.process.printed();
      return (stdout + stderr).includes(requestId);
    });
  } finally {
    await rename("drafts_elsewhere", "drafts");
  }
  expectStatus(200, await server.call("GET", "/drafts"));
});
