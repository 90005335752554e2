import { randomUUID } from "node:crypto";
import process from "node:process";
import type { ErrorCode } from "@toolhost/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "./src/expect-problem.ts";
import { callRaw } from "./src/http.ts";
import type { Answer } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { draftOf, expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const code = "export default (input) => input";
const unknownId = "01900000-0000-7000-8000-000000000000";
const answerLimitMs = 2_000;
const isFull = process.env["TEST_ALL"] === "1";

let server: Server;
let echo: string;

beforeAll(async () => {
  server = await startServer({ RUN_WAIT_MS: "30000" });
  echo = await server.makeTool(code);
});
afterAll(() => server?.stop());

let seenOutput = 0;

// After every request, the service still responds promptly and has logged no unexpected error.
afterEach(async () => {
  const response = await fetch(`${server.baseUrl}/healthz`, {
    signal: AbortSignal.timeout(answerLimitMs),
  });
  expect(response.status).toBe(200);
  const { stdout, stderr } = server.process.printed();
  const logged = stdout + stderr;
  const added = logged.slice(seenOutput);
  seenOutput = logged.length;
  expect(added).not.toContain("a request failed");
});

type Bytes = string | Uint8Array;
const send = (
  method: string,
  path: string,
  body?: Bytes,
  headers: Record<string, string> = {},
  isChunked = false,
): Promise<Answer> =>
  callRaw(server.baseUrl, {
    method,
    path: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${server.apiKey}`,
      "idempotency-key": randomUUID(),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    isChunked,
  });

/** Every route with a body, called with a session where keys are not allowed. */
const writes = [
  { method: "POST", path: () => "/tools", session: false },
  { method: "PATCH", path: () => `/tools/${echo}`, session: false },
  { method: "POST", path: () => `/run/${echo}`, session: false },
  { method: "POST", path: () => "/api-keys", session: true },
] as const;
const sendWrite = (
  { method, path, session }: (typeof writes)[number],
  body: Bytes,
  headers: Record<string, string> = {},
  isChunked = false,
) => {
  if (!session) return send(method, path(), body, headers, isChunked);
  return callRaw(server.baseUrl, {
    method,
    path: `/api/v1${path()}`,
    headers: {
      cookie: server.cookie,
      "idempotency-key": randomUUID(),
      "content-type": "application/json",
      ...headers,
    },
    body,
    isChunked,
  });
};
const everyWrite = writes.map((write) => ({
  ...write,
  name: `${write.method} ${write.path.toString()}`,
}));

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const nestedLists = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;

describe("an invalid JSON body", () => {
  const bodies: [string, Bytes, ErrorCode][] = [
    ["nothing", "", "invalid_request"],
    ["white space", "  \n ", "invalid_request"],
    ["cut JSON", '{"a":', "invalid_request"],
    ["two values", "{} {}", "invalid_request"],
    ["single quotes", "{'a':1}", "invalid_request"],
    ["a trailing comma", '{"a":1,}', "invalid_request"],
    ["a comment", "{} // x", "invalid_request"],
    ["NaN", '{"a":NaN}', "invalid_request"],
    ["a form", "a=1&b=2", "invalid_request"],
    ["a raw NUL", '{"a":"\u0000"}', "invalid_request"],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "invalid_request"],
    ["an overlong form", Buffer.from([0x22, 0xc0, 0xaf, 0x22]), "invalid_request"],
    ["UTF-16", Buffer.from('{"a":1}', "utf16le"), "invalid_request"],
    ["half a surrogate pair", '{"title":"\\ud800"}', "invalid_request"],
    ["half a pair as a name", '{"\\udc00":1}', "invalid_request"],
    ["a pair the wrong way round", '{"a":["\\udc00\\ud800"]}', "invalid_request"],
    ["1,000 deep objects", nested(1_000), "invalid_request"],
    ["100,000 deep objects", nested(100_000), "invalid_request"],
    ["100,000 deep lists", nestedLists(100_000), "invalid_request"],
    ["450,000 open brackets", "[".repeat(450_000), "invalid_request"],
    ["2 MiB", `{"a":"${"x".repeat(2 * 1024 * 1024)}"}`, "payload_too_large"],
    ["one byte over 1 MiB", `{"a":"${"x".repeat(1024 * 1024 + 1 - 8)}"}`, "payload_too_large"],
  ];

  const routesAndBodies = everyWrite.flatMap((write) =>
    bodies.map(([what, body, expected]) => ({ ...write, what, body, expected })),
  );

  test.each(routesAndBodies)(
    "is rejected: $what at $name",
    proves(
      "error.invalid_request",
      "error.payload_too_large",
      "error.no_internals",
      "error.problem_document",
    ),
    async ({ body, expected, ...write }) => {
      expectProblem(await sendWrite(write, body), expected);
      expectProblem(await sendWrite(write, body, {}, true), expected);
    },
  );

  test("accepts a body of exactly 1 MiB", proves("limits.body"), async () => {
    const frame = JSON.stringify({ a: "" }).length;
    const text = JSON.stringify({ a: "x".repeat(1024 * 1024 - frame) });
    for (const isChunked of [false, true]) {
      const answer = await send("POST", `/run/${echo}`, text, {}, isChunked);
      expect(expectStatus(200, answer).body.status).toBe("completed");
    }
  });

  test(
    "is rejected with payload_too_large when it is far too large",
    proves("error.payload_too_large", "limits.body"),
    async () => {
      const body = `{"a":"${"x".repeat(16 * 1024 * 1024)}"}`;
      for (let round = 0; round < (isFull ? 5 : 1); round++) {
        expectProblem(await server.call("POST", `/run/${echo}`, body), "payload_too_large");
      }
    },
  );

  test.each(everyWrite)(
    "is rejected for its type at $name",
    proves("error.unsupported_media_type"),
    async (write) => {
      const types = [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "application/jsonx",
        "json",
        "",
      ];
      for (const type of types) {
        expectProblem(
          await sendWrite(write, "{}", { "content-type": type }),
          "unsupported_media_type",
        );
      }
    },
  );
});

describe("a body that does not match its schema", () => {
  const draft = draftOf(code);
  const shapes: [string, unknown][] = [
    ["a list", []],
    ["a text", "text"],
    ["null", null],
    ["a number", 1e308],
    ["unknown fields", { ...draft, owner: "me" }],
    ["an id of one's own", { ...draft, name: "mine_abcd", version: 7 }],
    ["a title that is no text", { ...draft, title: { toString: "x" } }],
    ["a title of 10,000 characters", { ...draft, title: "x".repeat(10_000) }],
    ["a title of two lines", { ...draft, title: "a\nb" }],
    ["a title with NUL", { ...draft, title: "a\u0000b" }],
    ["an empty title", { ...draft, title: "   " }],
    ["a description with NUL", { ...draft, description: "a\u0000b" }],
    ["a schema that is a list", { ...draft, inputSchema: [] }],
    ["a timeout out of range", { ...draft, timeoutMs: 1e12 }],
    ["a timeout that is no number", { ...draft, timeoutMs: "1000" }],
    ["a fraction of a timeout", { ...draft, timeoutMs: 1000.5 }],
    ["an unknown visibility", { ...draft, visibility: "everyone" }],
    ["an unknown language", { ...draft, source: { language: "python", code } }],
    ["too much code", { ...draft, source: { language: "typescript", code: "x".repeat(600_000) } }],
    ["no code", { ...draft, source: { language: "typescript", code: "" } }],
    ["a host with a path", { ...draft, allowedHosts: ["example.com/x"] }],
    ["a host that is every host", { ...draft, allowedHosts: ["*"] }],
    ["a credential in lower case", { ...draft, credentials: [{ name: "key", hosts: [] }] }],
    [
      "too many examples",
      { ...draft, examples: Array.from({ length: 21 }, () => ({ input: {} })) },
    ],
    [
      "21 dependencies",
      {
        ...draft,
        source: {
          ...draft.source,
          dependencies: Object.fromEntries(
            Array.from({ length: 21 }, (_, n) => [`p${n}`, "1.0.0"]),
          ),
        },
      },
    ],
  ];

  test.each(shapes)(
    "is rejected with the path of each error: %s",
    proves("error.invalid_request", "error.no_internals"),
    async (_, body) => {
      for (const [method, path] of [
        ["POST", "/tools"],
        ["PATCH", `/tools/${echo}`],
      ] as const) {
        const { errors } = expectProblem(
          await server.call(method, path, JSON.stringify(body)),
          "invalid_request",
        );
        expect(errors?.length).toBeGreaterThan(0);
      }
      expect((await server.call("GET", `/tools/${echo}`)).body.version).toBe(1);
    },
  );

  test(
    "is rejected with __proto__ and constructor as fields",
    proves("error.invalid_request"),
    async () => {
      for (const name of ["__proto__", "constructor", "prototype"]) {
        const body = `{"title":"T","description":"D","inputSchema":{"type":"object"},"source":{"language":"javascript","code":"export default () => ({})"},"${name}":{"polluted":true}}`;
        expectProblem(await send("POST", "/tools", body), "invalid_request");
      }
      expect((await server.call("GET", "/me")).body).not.toHaveProperty("polluted");
    },
  );
});

describe("an input", () => {
  test(
    "returns odd names and numbers unchanged, or rejects them",
    proves("error.no_internals", "run.completed"),
    async () => {
      const bodies = [
        '{"constructor":{"prototype":{"a":1}}}',
        '{"a":123456789012345678901234567890}',
        '{"a":"\\u0000"}',
        '{"hasOwnProperty":1,"toString":2,"valueOf":3,"then":4,"toJSON":5}',
        '{"a":1,"a":2}',
        `{"${"k".repeat(100_000)}":1}`,
        `{"a":[${"0,".repeat(200_000)}0]}`,
        `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":${n}`).join(",")}}`,
        nested(90),
      ];
      for (const body of bodies) {
        const answer = expectStatus(200, await send("POST", `/run/${echo}`, body));
        expect(answer.body.status, body.slice(0, 80)).toBe("completed");
        expect(answer.body.output).toEqual(JSON.parse(body));
        const record = await server.call("GET", `/runs/${answer.body.runId}`);
        expectStatus(200, record);
      }
    },
  );

  test("rejects a number that JSON cannot represent", proves("error.invalid_request"), async () => {
    for (const body of ['{"a":1e400}', '{"a":[-1e999]}']) {
      expectProblem(await send("POST", `/run/${echo}`, body), "invalid_request");
    }
  });

  test("ignores __proto__", proves("error.no_internals"), async () => {
    const answer = await send("POST", `/run/${echo}`, '{"__proto__":{"polluted":true},"a":1}');
    expect([200, 400]).toContain(answer.status);
    const next = await server.run(echo, { b: 1 });
    expect(next.body.output).toEqual({ b: 1 });
    expect((await server.call("GET", "/me")).body.polluted).toBeUndefined();
  });
});

describe("a name in the path", () => {
  const names = [
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e%2f%2e%2e%2f",
    "%2e%2e",
    "..%5c..%5c",
    "a%00b_abcd",
    "%00",
    "%0d%0aSet-Cookie:%20a=b",
    "x".repeat(10_000),
    "%F0%9F%92%A9",
    "%ff%fe",
    "%c0%ae%c0%ae",
    "%ed%a0%80",
    "%",
    "%zz",
    "'%20or%201=1%20--",
    "__proto__",
    "constructor",
    "null",
    "*",
    "%252e%252e",
  ];
  const routes = [
    ["GET", (name: string) => `/tools/${name}`],
    ["PATCH", (name: string) => `/tools/${name}`],
    ["DELETE", (name: string) => `/tools/${name}`],
    ["GET", (name: string) => `/tools/${name}/versions`],
    ["POST", (name: string) => `/tools/${name}/versions/1/restore`],
    ["POST", (name: string) => `/run/${name}`],
    ["GET", (name: string) => `/skill/${name}`],
    ["GET", (name: string) => `/runs/${name}`],
    ["GET", (name: string) => `/runs/${name}/logs`],
    ["POST", (name: string) => `/runs/${name}/cancel`],
  ] as const;

  test.each(names.map((name) => ({ name, shown: name.slice(0, 40) })))(
    "responds 404 for $shown",
    proves("error.tool_not_found", "error.run_not_found", "error.no_internals"),
    async ({ name }) => {
      for (const [method, path] of routes) {
        const body = method === "PATCH" ? '{"title":"T"}' : method === "POST" ? "{}" : undefined;
        const answer = await send(method, path(name), body);
        const expected = path("").startsWith("/runs") ? "run_not_found" : "tool_not_found";
        // An invalid name can also be rejected as such.
        const known = [expected, "not_found", "invalid_request"];
        expect(
          known,
          `${method} ${path(name).slice(0, 60)} ${answer.text.slice(0, 200)}`,
        ).toContain(answer.body?.code);
        expectProblem(answer, answer.body.code);
        expect(answer.headers.get("set-cookie")).toBeNull();
      }
    },
  );

  test.each([
    "/../../etc/passwd",
    "/tools/../../../healthz/../etc/passwd",
    "//evil.example/tools",
    "/tools//",
    "/TOOLS",
    "/tools/a_abcd/unknown",
    "/run",
    "/run/a/b",
    "/nothing",
    "/runs/x/y/z",
    "/.env",
    "/%2e%2e/%2e%2e/server/src/main.ts",
  ])(
    "responds 404 for the path %s",
    proves("error.not_found", "error.problem_document"),
    async (path) => {
      const answer = await send("GET", path);
      expect(["not_found", "tool_not_found"]).toContain(answer.body?.code);
      expectProblem(answer, answer.body.code);
    },
  );

  test("responds 404 outside the API", proves("error.not_found", "error.request_id"), async () => {
    for (const path of [
      "/nothing",
      "/api",
      "/api/v2/tools",
      "/v1/tools",
      "/api/v1",
      "/api/v1/",
      "/package.json",
    ]) {
      expectProblem(await callRaw(server.baseUrl, { method: "GET", path }), "not_found");
    }
  });
});

describe("query parameters", () => {
  const lists = ["/tools", "/runs", "/audit-events"];
  const queries = [
    "limit=0",
    "limit=-1",
    "limit=201",
    "limit=1.5",
    "limit=x",
    "limit=1e9",
    "limit=",
    "limit=NaN",
    "limit=1&limit=2",
    "cursor=",
    "cursor=x",
    "cursor=%00",
    "cursor=..%2f",
    `cursor=${"A".repeat(5_000)}`,
    `cursor=${Buffer.from("' or 1=1 --").toString("base64url")}`,
    "cursor=a&cursor=b",
  ];

  test.each(
    lists.flatMap((path) => queries.map((query) => ({ path, query, shown: query.slice(0, 40) }))),
  )(
    "rejects invalid parameters: $path?$shown",
    proves("error.invalid_request", "list.limit", "list.cursor"),
    async ({ path, query }) => {
      expectProblem(await send("GET", `${path}?${query}`), "invalid_request");
    },
  );

  test("checks the parameters of each route", proves("error.invalid_request"), async () => {
    const bad = [
      "/audit-events?since=yesterday",
      "/audit-events?until=12",
      "/runs?status=unknown",
      `/runs?toolName=${"x".repeat(500)}`,
      `/tools?q=${"x".repeat(500)}`,
      `/skill/${echo}?format=xml`,
      `/tools/${echo}/versions?cursor=${Buffer.from("x").toString("base64url")}`,
    ];
    for (const path of bad) expectProblem(await send("GET", path), "invalid_request");
  });

  const textQueries = [
    "/tools?q=",
    "/runs?toolName=",
    "/audit-events?target=",
    "/audit-events?actor=",
    "/audit-events?action=",
    "/skills/search?q=",
  ];

  test.each(textQueries)(
    "accepts any search text: %s",
    proves("error.no_internals"),
    async (path) => {
      const odd = ["%00", "%ff", "%ed%a0%80", "%F0%9F%92%A9", "%27", "%25", "%5c", "a%00b"];
      const answers = await Promise.all(odd.map((text) => send("GET", path + text)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
      for (const answer of answers) {
        if (answer.status === 400) expectProblem(answer, "invalid_request");
      }
    },
  );
});

describe("methods", () => {
  const wrong: [string, string, string[]][] = [
    ["PUT", "/tools", ["GET", "POST"]],
    ["DELETE", "/tools", ["GET", "POST"]],
    ["POST", "/tools/x_abcd", ["GET", "PATCH", "DELETE"]],
    ["GET", "/run/x_abcd", ["POST"]],
    ["DELETE", "/run/x_abcd", ["POST"]],
    ["POST", "/runs", ["GET"]],
    ["PATCH", `/runs/${unknownId}`, ["GET"]],
    ["GET", `/runs/${unknownId}/cancel`, ["POST"]],
    ["POST", `/runs/${unknownId}/logs`, ["GET"]],
    ["POST", "/skill/x_abcd", ["GET"]],
    ["POST", "/skills/search", ["GET"]],
    ["PUT", "/api-keys", ["GET", "POST"]],
    ["GET", `/api-keys/${unknownId}`, ["DELETE"]],
    ["POST", "/audit-events", ["GET"]],
    ["PUT", "/me", ["GET", "DELETE"]],
    ["POST", "/openapi.json", ["GET"]],
    ["PROPFIND", "/tools", ["GET", "POST"]],
    ["TRACE", "/tools", ["GET", "POST"]],
  ];

  test.each(wrong)(
    "returns 405 with Allow for %s %s",
    proves("error.method_not_allowed"),
    async (method, path, allowed) => {
      const answer = await send(method, path);
      expectProblem(answer, "method_not_allowed");
      const allow = (answer.headers.get("allow") ?? "").split(", ");
      expect(allow).toEqual(expect.arrayContaining(allowed));
      expect(allow).not.toContain(method);
    },
  );
});

describe("headers", () => {
  test(
    "rejects or ignores odd headers",
    proves("error.no_internals", "error.request_id"),
    async () => {
      const odd: Record<string, string>[] = [
        { authorization: `Bearer ${"x".repeat(10_000)}` },
        { authorization: "Bearer \u00e9" },
        { "idempotency-key": "x".repeat(10_000) },
        { "idempotency-key": "" },
        { prefer: "wait=99999999999999999999" },
        { prefer: ",;=,,wait=" },
        { accept: "no/such;q=x,,," },
        { "x-request-id": "mine\u00e9" },
        { "x-workspace-id": "../" },
        { origin: "https://evil.example" },
        { cookie: `toolhost-${new URL(server.baseUrl).port}.session_token=%E0%A4%A; =; ;;` },
        { "content-type": "application/json; charset=utf-16" },
        { "x-forwarded-host": "evil.example", "x-forwarded-proto": "javascript" },
        { host: "evil.example" },
      ];
      for (const headers of odd) {
        const answer = await send("POST", `/run/${echo}`, '{"a":1}', headers);
        expect(
          answer.status,
          `${JSON.stringify(headers).slice(0, 80)} ${answer.text.slice(0, 200)}`,
        ).toBeLessThan(500);
        expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
        if (answer.status !== 200) expectProblem(answer, answer.body.code);
        expect(answer.text).not.toContain("evil.example");
      }
    },
  );

  test("rejects too many headers", proves("error.no_internals"), async () => {
    const headers = { "x-filler": "x".repeat(100_000) };
    const answer = await send("GET", "/tools", undefined, headers).catch(() => undefined);
    expect(answer?.status ?? 431).toBe(431);
  });
});

describe("a hostile schema", () => {
  const properties = (property: object) => ({ type: "object", properties: { a: property } });
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `d${n}`,
      n === 39
        ? { type: "string" }
        : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
    ]),
  );
  const recursive = {
    anyOf: [
      { type: "array", items: { $ref: "#/$defs/node" } },
      { type: "array", contains: { $ref: "#/$defs/node" } },
    ],
  };

  const bombs: [string, object, string][] = [
    [
      "references that double 40 times",
      { ...properties({ $ref: "#/$defs/d0" }), $defs: doubling },
      '{"a":"x"}',
    ],
    [
      "a pattern that backtracks",
      properties({ type: "string", pattern: "^(a+)+$" }),
      `{"a":"${"a".repeat(40)}b"}`,
    ],
    [
      "a property pattern that backtracks",
      { type: "object", patternProperties: { "^(a|a)*$": { type: "string" } } },
      `{"${"a".repeat(40)}b":1}`,
    ],
    [
      "a pattern on a long text",
      properties({ type: "string", pattern: "(.*)*(.*)*x$" }),
      `{"a":"${"a".repeat(50_000)}"}`,
    ],
    [
      "uniqueItems on 100,000 objects",
      properties({ type: "array", uniqueItems: true }),
      `{"a":[${Array.from({ length: 100_000 }, (_, n) => `[${n}]`).join(",")}]}`,
    ],
    [
      "uniqueItems on 100,000 numbers",
      properties({ type: "array", uniqueItems: true }),
      `{"a":[${Array.from({ length: 100_000 }, (_, n) => n).join(",")}]}`,
    ],
    [
      "a recursive choice",
      { ...properties({ $ref: "#/$defs/node" }), $defs: { node: recursive } },
      `{"a":${"[".repeat(60)}1${"]".repeat(60)}}`,
    ],
    ["a schema that is itself", { type: "object", properties: { a: { $ref: "#" } } }, nested(90)],
    ["a schema that only refers to itself", { type: "object", allOf: [{ $ref: "#" }] }, "{}"],
    [
      "a long enumeration",
      properties({ enum: Array.from({ length: 50_000 }, (_, n) => n) }),
      '{"a":-1}',
    ],
    [
      "2,000 alternatives",
      properties({ anyOf: Array.from({ length: 2_000 }, (_, n) => ({ const: n })) }),
      '{"a":-1}',
    ],
    [
      "20,000 required fields",
      { type: "object", required: Array.from({ length: 20_000 }, (_, n) => `k${n}`) },
      "{}",
    ],
    [
      "a format on a long text",
      properties({ type: "string", format: "email" }),
      `{"a":"${"a@".repeat(200_000)}"}`,
    ],
    [
      "an address of a long text",
      properties({ type: "string", format: "uri" }),
      `{"a":"http://${"a:".repeat(200_000)}"}`,
    ],
    ["a repetition beyond limits", properties({ pattern: "(a{1000}){1000}" }), '{"a":"aaa"}'],
    [
      "nesting of 45 levels",
      Array.from({ length: 45 }).reduce<object>(
        (inner) => ({ type: "object", properties: { a: inner } }),
        {},
      ),
      nested(45),
    ],
  ];

  test.each(bombs)(
    "rejects or checks %s in bounded time",
    proves("error.no_internals", "tool.schema_2020_12"),
    async (_, inputSchema, input) => {
      const saved = await server.call("POST", "/tools", { ...draftOf(code), inputSchema });
      if (saved.status !== 201) {
        expectProblem(saved, "invalid_tool");
        return;
      }
      for (const headers of isFull ? [{}, { prefer: "wait=20" }] : [{}]) {
        // Other requests are served while it is checked.
        const hostile = send("POST", `/run/${saved.body.name}`, input, headers);
        const health = await fetch(`${server.baseUrl}/healthz`, {
          signal: AbortSignal.timeout(answerLimitMs),
        });
        expect(health.status).toBe(200);
        const answer = await hostile;
        if (answer.status !== 200) expectProblem(answer, "invalid_input");
        else expect(answer.body.status).toBe("completed");
      }
    },
  );

  test(
    "isolates the definition of one tool from another's",
    proves("tool.schema_2020_12"),
    async () => {
      const inputSchema = {
        $id: "https://example.com/shared",
        type: "object",
        properties: { a: { type: "string" } },
      };
      const one = await server.makeTool(code, { inputSchema });
      const other = await server.makeTool(code, {
        inputSchema: { ...inputSchema, properties: { a: { type: "number" } } },
      });
      expectProblem(await server.run(one, { a: 1 }), "invalid_input");
      expect((await server.run(other, { a: 1 })).body.status).toBe("completed");
      expectProblem(await server.run(other, { a: "1" }), "invalid_input");
    },
  );
});

test(
  "serves other clients during many hostile requests",
  proves("error.no_internals"),
  async () => {
    const bodies = ["", "{", nested(1_000), '{"a":"\\ud800"}', "[]", '{"a":1}'];
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        send("POST", `/run/${echo}`, bodies[n % bodies.length] ?? ""),
      ),
    );
    for (const [n, answer] of answers.entries()) {
      expectStatus(
        n % bodies.length === 5 || (n % bodies.length === 4 && answer.status === 200) ? 200 : 400,
        answer,
      );
    }
  },
);

test("survives an aborted request", proves("error.no_internals"), async () => {
  const abort = new AbortController();
  const cut = fetch(`${server.baseUrl}/api/v1/run/${echo}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${server.apiKey}`,
      "idempotency-key": randomUUID(),
      "content-type": "application/json",
    },
    body: new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":')),
    }),
    duplex: "half",
    signal: abort.signal,
  });
  setTimeout(() => abort.abort(), 100);
  await expect(cut).rejects.toThrow(expect.anything());
  expect((await server.run(echo, { a: 1 })).body.output).toEqual({ a: 1 });
});
