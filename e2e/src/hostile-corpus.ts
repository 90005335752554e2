/** Requests below every limit on bodies that are meant to take long. */
export type HostileRequest = {
  name: string;
  method: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
};

const bodyBytes = 1_040_000;
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const named = (count: number, make: (index: number) => unknown) =>
  Object.fromEntries(many(count, (index) => [`p${index}`, make(index)]));

const objectOf = (a: unknown) => ({ type: "object", properties: { a } });
const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) });
const doubling = (count: number) => ({
  type: "object",
  $ref: "#/$defs/l0",
  $defs: Object.fromEntries(
    many(count + 1, (index) => {
      const next = { $ref: `#/$defs/l${index + 1}` };
      return [`l${index}`, index === count ? {} : { allOf: [next, next] }];
    }),
  ),
});

/** Input schemas for a tool that is saved. */
const schemas: Record<string, unknown> = {
  "enum of 100,000": objectOf({ enum: many(100_000, (index) => `v${index}`) }),
  "enum of objects": objectOf({ enum: many(40_000, (index) => ({ index })) }),
  "60,000 types": objectOf({ type: many(60_000, (index) => `t${index}`) }),
  "4,000 properties": {
    type: "object",
    properties: named(4_000, () => ({ type: "string", minLength: 1 })),
  },
  "1,900 properties": {
    type: "object",
    properties: named(1_900, () => ({ type: "string", minLength: 1, description: "x" })),
  },
  "1,900 wrong properties": { type: "object", properties: named(1_900, () => ({ type: "strin" })) },
  "50,000 empty properties": { type: "object", properties: named(50_000, () => ({})) },
  "90,000 required": { type: "object", required: many(90_000, (index) => `r${index}`) },
  "250 oneOf": objectOf({
    oneOf: many(250, (index) => ({ type: "object", properties: { k: { const: index } } })),
  }),
  "300 allOf, nothing unevaluated": {
    type: "object",
    allOf: many(300, (index) => ({ properties: named(10, () => ({ const: index })) })),
    unevaluatedProperties: false,
  },
  "references that double": doubling(60),
  "10,000 references": {
    ...objectOf({ prefixItems: many(10_000, () => ({ $ref: "#/$defs/a" })) }),
    $defs: { a: { type: "string" } },
  },
  "arrays in arrays": objectOf({ default: many(300_000, () => []) }),
  "90 deep, often": objectOf({ examples: many(1_300, () => deep(85)) }),
  "patterns of 1,000 characters": objectOf({
    properties: Object.fromEntries(
      many(290, (index) => [`p${index}`, { pattern: `^(?:${"a?".repeat(480)})${index}` }]),
    ),
  }),
  "a pattern of a megabyte": objectOf({ pattern: `(${"a|".repeat(400_000)}b)` }),
  "a pattern of repetitions": objectOf({ pattern: "(?:(?:a{100}){100}){100}" }),
  "a description of a megabyte": objectOf({ description: "x".repeat(1_000_000) }),
  "letters that combine": objectOf({ description: `a${"\u0301\u0323".repeat(200_000)}` }),
  "ligatures that grow": objectOf({ description: "\ufdfa".repeat(300_000) }),
  "words without end": {
    type: "object",
    properties: named(1_500, (index) => ({ description: `word${index} `.repeat(40) })),
  },
  "names with slashes": {
    type: "object",
    properties: Object.fromEntries(many(30_000, (index) => [`${"~/".repeat(5)}${index}`, 1])),
  },
};

const code = "export default async () => ({})";
const draftOf = (inputSchema: unknown, more: object = {}) => ({
  title: "Hostile",
  description: "Takes long.",
  inputSchema,
  source: { language: "javascript", code },
  ...more,
});

/** Definitions of tools beside their schemas. */
const definitions: Record<string, unknown> = {
  "a title of a megabyte": draftOf({ type: "object" }, { title: "x ".repeat(500_000) }),
  "a description of a megabyte": draftOf(
    { type: "object" },
    { description: "x".repeat(1_000_000) },
  ),
  "control characters": draftOf({ type: "object" }, { description: "\u0001".repeat(170_000) }),
  "a long description": draftOf({ type: "object" }, { description: "\u0390".repeat(4_000) }),
  "300,000 examples": draftOf({ type: "object" }, { examples: many(300_000, () => 1) }),
  "twenty large examples": draftOf(objectOf({ items: { enum: ["a"] } }), {
    examples: many(20, () => ({ input: { a: many(12_000, () => "b") } })),
  }),
  "examples with deep values": draftOf(
    { type: "object" },
    { examples: many(20, () => ({ input: { a: many(100, () => deep(80)) } })) },
  ),
  "empty credentials": draftOf({ type: "object" }, { credentials: many(300_000, () => ({})) }),
  "credentials with many hosts": draftOf(
    { type: "object" },
    {
      credentials: many(20, (index) => ({
        name: `C${index}`,
        hosts: many(2_000, () => "a.example.com"),
      })),
    },
  ),
  "wrong hosts": draftOf(
    { type: "object" },
    { allowedHosts: many(50, () => `${"a-".repeat(130)}!`) },
  ),
  "80,000 dependencies": draftOf(
    { type: "object" },
    { source: { language: "javascript", code, dependencies: named(80_000, () => "1") } },
  ),
  "80,000 wrong dependencies": draftOf(
    { type: "object" },
    {
      source: {
        language: "javascript",
        code,
        dependencies: Object.fromEntries(many(80_000, (index) => [`P${index}`, 1])),
      },
    },
  ),
  "80,000 unknown fields": draftOf(
    { type: "object" },
    named(80_000, () => 1),
  ),
  "300,000 outputs": draftOf(
    { type: "object" },
    { outputSchema: { properties: many(300_000, () => ({})) } },
  ),
  "200 outputs of many fields": draftOf(
    { type: "object" },
    {
      outputSchema: {
        properties: many(200, (index) => ({
          name: `o${index}`,
          type: "any",
          ...named(300, () => []),
        })),
      },
    },
  ),
  "file fields of 200 letters": draftOf(
    { type: "object" },
    { fileFields: many(50, (index) => "f".repeat(199) + index) },
  ),
  "40,000 names of properties and file fields": draftOf(
    { type: "object", properties: named(1_900, () => ({ type: "string" })) },
    { fileFields: many(50, (index) => `p${index}`) },
  ),
};

/** Bodies of JSON that any route may get. */
const bodies: Record<string, string> = {
  "empty arrays": `[${many(bodyBytes / 3, () => "[]").join()}]`,
  "empty objects": `[${many(bodyBytes / 3, () => "{}").join()}]`,
  "small objects": `[${many(bodyBytes / 9, () => '{"a":1}').join()}]`,
  numbers: `[${many(bodyBytes / 2, () => "1").join()}]`,
  "large numbers": `[${many(bodyBytes / 8, () => "1.1e300").join()}]`,
  "numbers that are too large": `[${many(bodyBytes / 8, () => "1.1e200").join()},1e999]`,
  "many names": JSON.stringify(named(90_000, () => 1)),
  "the same name": `{${many(bodyBytes / 7, () => '"a":1').join()}}`,
  "deep arrays": `[${many(bodyBytes / 190, () => "[".repeat(90) + "]".repeat(90)).join()}]`,
  "too deep": "[".repeat(bodyBytes),
  "half pairs": `["${"\\ud83d\\ude00".repeat(bodyBytes / 13)}"]`,
  "a half pair at the end": `[${many(bodyBytes / 12, () => '"\\ud83d\\ude00"')
    .join()
    .slice(0, bodyBytes - 20)},"\\ud83d"]`,
  quotes: `["${'\\"'.repeat(bodyBytes / 2)}"]`,
  "a long text": `["${"x".repeat(bodyBytes)}"]`,
  "not JSON": `${"[1,".repeat(30)}${" ".repeat(bodyBytes)}x`,
};

/** Tools whose schema is within every limit, with inputs that make checking it long. */
export const hostileTools: Record<string, { schema: unknown; inputs: Record<string, unknown> }> = {
  enum: {
    schema: objectOf({ items: { enum: many(10_000, (index) => `v${index}`) } }),
    inputs: {
      "100,000 values": { a: many(100_000, (index) => `v${index % 10_000}`) },
      "100,000 other values": { a: many(90_000, (index) => `w${index}`) },
    },
  },
  pattern: {
    schema: objectOf({ pattern: "^(a+)+$" }),
    inputs: {
      "60 letters": { a: `${"a".repeat(60)}!` },
      "a megabyte": { a: `${"a".repeat(1_000_000)}!` },
    },
  },
  lookahead: {
    schema: objectOf({ pattern: "^(?=a)(a+)+$" }),
    inputs: {
      "60 letters": { a: `${"a".repeat(60)}!` },
      "a megabyte": { a: `${"a".repeat(1_000_000)}!` },
    },
  },
  "pattern of names": {
    schema: {
      type: "object",
      patternProperties: named(45, () => ({ type: "string" })),
      additionalProperties: { type: "integer" },
    },
    inputs: { "90,000 names": named(90_000, () => 1) },
  },
  unique: {
    schema: objectOf({ uniqueItems: true }),
    inputs: {
      "60,000 objects": { a: many(60_000, (index) => ({ index })) },
      "300,000 numbers": { a: many(140_000, (index) => index) },
    },
  },
  list: {
    schema: objectOf({ items: { type: "string", maxLength: 3 } }),
    inputs: {
      "500,000 wrong items": { a: many(500_000, () => 1) },
      "60,000 wrong items": { a: many(60_000, () => 1) },
      "250,000 items": { a: many(250_000, () => "a") },
    },
  },
  tree: {
    schema: {
      ...objectOf({ $ref: "#/$defs/n" }),
      $defs: {
        n: {
          type: "object",
          properties: {
            a: { anyOf: [{ $ref: "#/$defs/n" }, { $ref: "#/$defs/n" }, { $ref: "#/$defs/n" }] },
          },
          required: ["b"],
        },
      },
    },
    inputs: { "90 deep": { a: deep(90) } },
  },
  format: {
    schema: objectOf({
      items: {
        anyOf: [
          { format: "uri" },
          { format: "email" },
          { format: "date-time" },
          { format: "regex" },
          { format: "url" },
        ],
      },
    }),
    inputs: {
      "long addresses": { a: many(250, () => `http://[${"::".repeat(2_000)}`) },
      "long patterns": { a: many(100, () => "(".repeat(4_000) + ")".repeat(4_000)) },
    },
  },
  secret: {
    schema: {
      ...objectOf({ $ref: "#/$defs/n" }),
      $defs: {
        n: {
          properties: { key: { writeOnly: true } },
          additionalProperties: { $ref: "#/$defs/n" },
          items: { $ref: "#/$defs/n" },
        },
      },
    },
    inputs: {
      "many values": { a: many(200_000, () => []) },
      "many names": { a: named(80_000, () => ({})) },
    },
  },
  wide: {
    schema: {
      type: "object",
      properties: named(1_900, (index) => ({
        type: "string",
        description: `d${index}`,
        enum: ["a", "b"],
        default: "a",
      })),
      required: many(1_900, (index) => `p${index}`),
    },
    inputs: { nothing: {}, "all wrong": named(1_900, () => 1) },
  },
};

const text = (letters: string, length: number) =>
  letters.repeat(Math.ceil(length / letters.length)).slice(0, length);

/** Queries as long as an address may be. */
const queries: Record<string, string> = {
  "ten long searches": many(10, (index) => `q=${text(`w${index}abcdefg `, 800)}`)
    .join("&")
    .replaceAll(" ", "+"),
  "ten searches of mistyped words": many(10, () => `q=${text("zzzzqqqq ", 600)}`)
    .join("&")
    .replaceAll(" ", "+"),
  "searches of marks": many(10, () => `q=${encodeURIComponent("\ufdfa".repeat(80))}`).join("&"),
  "searches of capitals": many(10, () => `q=${text("aA", 800)}`).join("&"),
  "thousands of parameters": many(1_300, (index) => `p${index}=`).join("&"),
  "the same parameter": many(2_500, () => "q=a").join("&"),
};

/** All requests that need no tool of their own; `isShort` sends each body by one route only. */
export function hostileRequests(isShort: boolean): HostileRequest[] {
  const save = (name: string, body: unknown): HostileRequest => ({
    name: `save a tool: ${name}`,
    method: "POST",
    path: "/api/v1/tools",
    body: JSON.stringify(body),
  });
  const mcp = (name: string, body: string): HostileRequest => ({
    name: `MCP: ${name}`,
    method: "POST",
    path: "/api/mcp",
    body,
    headers: { accept: "application/json, text/event-stream" },
  });
  const call = (method: string, params: unknown, id = 1) => ({
    jsonrpc: "2.0",
    id,
    method,
    params,
  });
  const search = (args: unknown) =>
    call("tools/call", { name: "service_search_tools", arguments: args });
  return [
    ...Object.entries(schemas).map(([name, schema]) => save(name, draftOf(schema))),
    ...Object.entries(definitions).map(([name, draft]) => save(name, draft)),
    ...Object.entries(bodies).flatMap(([name, body], position) => {
      const routes = [
        { name: `a tool of ${name}`, method: "POST", path: "/api/v1/tools", body },
        {
          name: `a draft of ${name}`,
          method: "POST",
          path: "/api/v1/drafts",
          body: `{"definition":{"a":${body}}}`,
        },
        { name: `a credential of ${name}`, method: "POST", path: "/api/v1/credentials", body },
        { name: `an API key of ${name}`, method: "POST", path: "/api/v1/api-keys", body },
        mcp(name, body),
        mcp(
          `arguments of ${name}`,
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"service_execute_tool","arguments":{"tool_name":"x","arguments":{"a":${body}}}}}`,
        ),
        mcp(
          `arguments in a text of ${name}`,
          JSON.stringify(
            call("tools/call", {
              name: "service_execute_tool",
              arguments: JSON.stringify({ tool_name: "x", arguments: body }).slice(0, 500_000),
            }),
          ),
        ),
        { name: `sign-in of ${name}`, method: "POST", path: "/api/auth/sign-in/email", body },
        { name: `registration of ${name}`, method: "POST", path: "/oauth/register", body },
      ];
      const [chosen = routes[0]] = routes.slice(position % routes.length);
      return isShort && chosen !== undefined ? [chosen] : routes;
    }),
    ...Object.entries(schemas).map(([name, schema]) => ({
      name: `a draft: ${name}`,
      method: "POST",
      path: "/api/v1/drafts",
      body: JSON.stringify({ definition: draftOf(schema) }),
    })),
    ...Object.entries(queries).flatMap(([name, query]) => [
      { name: `search: ${name}`, method: "GET", path: `/api/v1/skills/search?${query}` },
      { name: `list: ${name}`, method: "GET", path: `/api/v1/tools?${query.slice(0, 7_000)}` },
      { name: `runs: ${name}`, method: "GET", path: `/api/v1/runs?${query.slice(0, 7_000)}` },
      {
        name: `audit: ${name}`,
        method: "GET",
        path: `/api/v1/audit-events?${query.slice(0, 7_000).replaceAll("q=", "target=")}`,
      },
    ]),
    mcp("a batch", JSON.stringify(many(10_000, (index) => call("ping", {}, index)))),
    mcp(
      "a batch of searches",
      JSON.stringify(
        many(50, (index) => ({
          ...search({ queries: many(10, () => text("abc def ", 1_900)) }),
          id: index,
        })),
      ),
    ),
    mcp(
      "ten long searches",
      JSON.stringify(search({ queries: many(10, (index) => text(`w${index}bcdefgh `, 1_990)) })),
    ),
    mcp(
      "searches that grow",
      JSON.stringify(search({ queries: many(10, () => "\ufdfa".repeat(1_990)) })),
    ),
    mcp("unknown arguments", JSON.stringify(search(named(80_000, () => 1)))),
    mcp("a long method", JSON.stringify(call("x".repeat(1_000_000), {}))),
    mcp(
      "a long tool's name",
      JSON.stringify(call("tools/call", { name: "x_".repeat(500_000), arguments: {} })),
    ),
    {
      name: "many form fields",
      method: "POST",
      path: "/oauth/token",
      body: many(90_000, (index) => `a${index}=1`).join("&"),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    },
    {
      name: "a long form field",
      method: "POST",
      path: "/oauth/token",
      body: `grant_type=${"%41".repeat(330_000)}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    },
  ];
}

export { draftOf as hostileDraft };
