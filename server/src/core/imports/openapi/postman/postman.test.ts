import { describe, expect, it } from "vitest";
import { runTool, toBytes, toolOf } from "#testing/imports/generated-tool";
import { readDocument } from "../read-document.ts";

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

function collectionOf(item: object[], rest: object = {}): Buffer {
  const variable = [{ key: "baseUrl", value: "https://api.example.com/v1" }];
  return toBytes({ info: { name: "Pets", schema }, variable, item, ...rest });
}

const get = (url: unknown, rest: object = {}) => ({
  name: "List pets",
  request: { method: "GET", url, ...rest },
});

describe("collections", () => {
  it("lists requests with their folders as tags, in both formats", () => {
    const item = [
      { name: "Animals", item: [{ name: "Dogs", item: [get("{{baseUrl}}/dogs")] }] },
      get({ host: ["{{baseUrl}}"], path: ["cats"] }, { description: { content: "All of them." } }),
    ];
    const summary = readDocument(collectionOf(item));
    expect(summary).toMatchObject({
      title: "Pets",
      format: "postman-2.1",
      skipped: [],
      servers: [{ url: "https://api.example.com/v1" }],
      operations: [
        { key: "GET /dogs", title: "List pets", tags: ["Animals", "Dogs"] },
        { key: "GET /cats", description: "List pets. All of them." },
      ],
    });
    const old = { name: "Pets", schema: schema.replace("v2.1.0", "v2.0.0") };
    expect(readDocument(collectionOf(item, { info: old })).format).toBe("postman-2.0");
    const wrapped = toBytes({ collection: JSON.parse(collectionOf(item).toString()) as object });
    expect(readDocument(wrapped).operations).toHaveLength(2);
  });

  it("sends what the request has: path, query, headers and body", async () => {
    const url = {
      raw: "{{baseUrl}}/pets/:id/{{kind}}?limit=10&page={{page}}",
      query: [
        { key: "limit", value: "10", description: "At most this many." },
        { key: "page", value: "{{page}}" },
      ],
      variable: [{ key: "id", value: "7", description: "The pet." }],
    };
    const header = [
      { key: "X-Version", value: "2026-01-01" },
      { key: "Content-Type", value: "application/json" },
      { key: "X-Trace", value: "{{$guid}}", disabled: true },
    ];
    const raw = '{"name":"{{name}}","age":{{age}},"owner":{"id":1,"password":"hunter2"}}';
    const request = { method: "POST", url, header, body: { mode: "raw", raw } };
    const document = collectionOf([{ name: "Create pet", request }]);
    const { definition } = toolOf(document, "POST /pets/{id}/{kind}");
    expect(definition.inputSchema).toMatchObject({
      required: ["id", "X-Version", "kind"],
      properties: {
        limit: { type: ["string", "integer"], description: "At most this many." },
        name: { type: "string" },
        age: {},
        owner: { properties: { id: { type: "number" }, password: { format: "password" } } },
      },
    });
    const input = { id: "7", kind: "dog", limit: 5, "X-Version": "1", name: "Rex", age: 3 };
    const ran = await runTool(definition, input);
    expect(ran.request.url).toBe("https://api.example.com/v1/pets/7/dog?limit=5");
    expect(ran.request.headers.get("x-version")).toBe("1");
    expect(JSON.parse(ran.body)).toEqual({ name: "Rex", age: 3 });
  });

  it("describes forms, files and GraphQL", () => {
    const forms = [
      { mode: "urlencoded", urlencoded: [{ key: "a", value: "1" }] },
      {
        mode: "formdata",
        formdata: [
          { key: "f", type: "file" },
          { key: "a", value: "1" },
        ],
      },
      { mode: "graphql", graphql: { query: "{ pets { id } }" } },
    ];
    const item = forms.map((body, at) => ({
      name: `Send ${at}`,
      request: { method: "POST", url: `{{baseUrl}}/${at}`, body },
    }));
    const document = collectionOf(item);
    const fields = forms.map((_, at) => {
      const { inputSchema, fileFields } = toolOf(document, `POST /${at}`).definition;
      return [Object.keys(inputSchema["properties"] as object), fileFields];
    });
    expect(fields).toEqual([
      [["a"], []],
      [["f", "a"], ["f"]],
      [["query", "variables"], []],
    ]);
  });

  it("describes the saved response, without its values", () => {
    const response = [{ code: 200, body: '{"id":1,"token":"s3cret-value"}' }];
    const { definition } = toolOf(
      collectionOf([{ ...get("{{baseUrl}}/pets"), response }]),
      "GET /pets",
    );
    expect(definition.outputSchema.properties.map(({ name }) => name)).toEqual(["id", "token"]);
    expect(JSON.stringify(definition)).not.toContain("s3cret-value");
  });

  it("makes one tool of requests with the same method and path", () => {
    const send = (name: string, raw: string) => ({
      name,
      request: { method: "POST", url: "{{baseUrl}}/pets", body: { mode: "raw", raw } },
    });
    const document = collectionOf([
      send("Create dog", '{"a":{"b":1}}'),
      send("Create cat", '{"a":{"c":1},"d":1}'),
    ]);
    const { definition } = toolOf(document, "POST /pets");
    expect(definition.title).toBe("Create dog");
    expect(definition.description).toContain("Also: Create cat.");
    expect(definition.inputSchema["properties"]).toMatchObject({
      a: { properties: { b: {}, c: {} } },
      d: {},
    });
  });

  it.each([
    ["a variable without a value", "{{host}}/pets", 'variable "host" without a value'],
    ["a variable that refers to itself", "{{loop}}/pets", 'variable "loop" without a value'],
    ["a secret variable", "https://{{apiToken}}.example.com/pets", 'variable "apiToken"'],
    ["no host", "/pets", "Enter the server's URL"],
  ])("requests the server where its address has %s", (_, url, message) => {
    const variable = [
      { key: "loop", value: "{{loop}}{{loop}}" },
      { key: "apiToken", value: "s3cret-value" },
    ];
    const document = collectionOf([get(url)], { variable });
    const [key = ""] = readDocument(document).operations.map((one) => one.key);
    expect(() => toolOf(document, key)).toThrow(message);
    const serverUrl = "https://chosen.example/v2";
    expect(toolOf(document, key, { serverUrl }).definition.allowedHosts).toEqual([
      "chosen.example",
    ]);
  });

  it.each([
    ['{"info":{"_postman_id":"x"},"requests":[]}', "version of Postman collections"],
    ['{"id":"x","order":[],"requests":[]}', "version of Postman collections"],
    ['{"_postman_variable_scope":"environment","values":[]}', "Postman environment"],
  ])("refuses %s", (text, reason) => {
    expect(() => readDocument(Buffer.from(text))).toThrow(reason);
  });
});

describe("authentication of collections", () => {
  const kindsOf = (document: Buffer) => {
    const { operations, securitySchemes } = readDocument(document);
    return operations.map(({ security }) =>
      security.flat().map((name) => {
        const { kind, apiKey } = securitySchemes.find((one) => one.name === name) ?? {};
        return apiKey === undefined ? kind : `${apiKey.in} ${apiKey.name}`;
      }),
    );
  };
  const secret = "s3cret-value";

  it.each([
    ["basic", [{ key: "password", value: secret }], ["basic"]],
    ["bearer", { token: secret }, ["bearer"]],
    [
      "apikey",
      [
        { key: "key", value: "X-Key" },
        { key: "value", value: secret },
      ],
      ["header X-Key"],
    ],
    ["apikey", { key: "k", value: secret, in: "query" }, ["query k"]],
    ["oauth2", { accessToken: secret, clientSecret: secret }, ["oauth2"]],
    ["awsv4", { secretKey: secret }, ["unsupported"]],
    ["noauth", null, []],
  ])("reads %s", (type, attributes, expected) => {
    const auth = { type, [type]: attributes };
    expect(kindsOf(collectionOf([get("{{baseUrl}}/pets")], { auth }))).toEqual([expected]);
  });

  it("inherits from folders, and prefers what a request has", () => {
    const bearer = { type: "bearer", bearer: { token: secret } };
    const basic = { type: "basic", basic: {} };
    const document = collectionOf(
      [
        { name: "Folder", auth: basic, item: [get("{{baseUrl}}/a")] },
        get("{{baseUrl}}/b", { auth: { type: "noauth" } }),
        get("{{baseUrl}}/c", { auth: null }),
      ],
      { auth: bearer },
    );
    expect(kindsOf(document)).toEqual([["basic"], [], ["bearer"]]);
  });

  it("takes headers, parameters and addresses with secrets for authentication", () => {
    const header = [
      { key: "Authorization", value: `Token ${secret}` },
      { key: "X-Api-Key", value: secret },
      { key: "X-Tenant", value: "{{accessToken}}" },
    ];
    const document = collectionOf([
      get(`https://user:${secret}@api.example.com/pets?api_key=${secret}&page_token=a`, { header }),
    ]);
    expect(kindsOf(document)).toEqual([
      ["header Authorization", "header X-Api-Key", "header X-Tenant", "query api_key", "basic"],
    ]);
    expect(readDocument(document).securitySchemes[0]?.prefix).toBe("Token");
  });

  it("copies no saved secret and no script into the document that is stored", () => {
    const event = [{ listen: "test", script: { exec: [`pm.set("${secret}")`] } }];
    const flow = [
      { key: "clientSecret", value: secret },
      { key: "accessTokenUrl", value: `https://a.example/token?key=${secret}` },
    ];
    const header = ["Authorization", "Cookie", "X-Auth-Token"].map((key) => ({
      key,
      value: secret,
    }));
    const bodies = [
      { mode: "raw", raw: `{"user":"a","password":"${secret}","jwt":"eyJ${secret}"}` },
      { mode: "urlencoded", urlencoded: [{ key: "client_secret", value: secret }] },
      { mode: "raw", raw: `<x>${secret}</x>` },
      { mode: "graphql", graphql: { query: `{ login(password: "${secret}") }` } },
    ];
    const item = bodies.map((body, at) => ({
      name: "Sign in",
      event,
      request: {
        method: "POST",
        url: `https://${secret}@api.example.com/${at}?token=${secret}`,
        header,
        body,
        auth: { type: "oauth2", oauth2: flow },
      },
      response: [
        { code: 200, body: `{"token":"${secret}"}`, header: [{ key: "A", value: secret }] },
      ],
    }));
    const variable = [
      { key: "apiKey", value: secret },
      { key: "x", value: secret, type: "secret" },
    ];
    const document = collectionOf(item, { variable, event });
    const { converted = "", ...summary } = readDocument(document);
    expect(JSON.parse(converted)).toHaveProperty("openapi");
    expect(converted + JSON.stringify(summary)).not.toContain(secret);
    const tools = summary.operations.map(({ key }) => toolOf(document, key).definition);
    expect(JSON.stringify(tools)).not.toContain(secret);
  });
});

describe("hostile collections", () => {
  it("handles names of members of all objects", () => {
    const names = ["__proto__", "constructor", "toString"];
    const raw = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const item = names.map((name) => ({
      name,
      request: {
        method: "POST",
        url: { raw: `{{baseUrl}}/${name}`, query: [{ key: name, value: "1" }] },
        header: [{ key: name, value: "1" }],
        body: { mode: "raw", raw },
        auth: { type: name, [name]: { key: "1" } },
      },
    }));
    const document = collectionOf(item, { variable: names.map((key) => ({ key, value: "1" })) });
    const { operations } = readDocument(document);
    expect(operations).toHaveLength(3);
    const serverUrl = "https://x.example";
    for (const { key } of operations) toolOf(document, key, { serverUrl });
    expect({}).not.toHaveProperty("polluted");
  });

  it("accepts any value in any place, without another error", () => {
    const values = [null, 1, "x", true, [], {}, [null], [1], { a: 1 }, "{{", "{{a}}", "://", "a\n"];
    const keys = ["url", "header", "body", "auth", "method", "description"];
    for (const value of values) {
      const item: object[] = keys.map((key) => ({
        request: { url: "https://a.b/c", [key]: value },
      }));
      item.push({ request: value }, { item: value }, { name: value, request: "https://a.b/d" });
      for (const key of ["raw", "host", "path", "query", "variable"]) {
        item.push({ request: { url: { host: ["a", "b"], [key]: value } } });
      }
      for (const mode of ["raw", "urlencoded", "formdata", "graphql", "file"]) {
        item.push({ request: { url: "https://a.b/e", body: { mode, [mode]: value } } });
      }
      for (const rest of [{}, { auth: value }, { variable: value }, { variable: [value] }]) {
        expect(() => readDocument(collectionOf([...item], rest))).not.toThrow();
      }
    }
  });

  it("refuses folders that are nested too deeply", () => {
    let item: object = get("https://a.example/b");
    for (let level = 0; level < 300; level += 1) item = { name: "f", item: [item] };
    expect(() => readDocument(collectionOf([item]))).toThrow("nested");
  });

  it("cuts variables and samples that grow", () => {
    const variable = Array.from({ length: 20 }, (_, at) => ({
      key: `v${at}`,
      value: `{{v${at + 1}}}`.repeat(100),
    }));
    const raw = `${"[".repeat(150)}1${"]".repeat(150)}`;
    const body = { mode: "raw", raw };
    const item = [
      { name: "a", request: { method: "POST", url: "https://{{v0}}/x", body } },
      { name: "b", request: `https://a.example/${"{{v0}}".repeat(600)}` },
    ];
    expect(readDocument(collectionOf(item, { variable })).operations.length).toBeGreaterThan(0);
  });
});
