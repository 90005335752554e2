import { describe, expect, it } from "vitest";
import { documentOf, toBytes, toolOf } from "#testing/imports/generated-tool";
import { compileSchema } from "../../validation/compile-schema.ts";
import { checkSchema } from "../../validation/check-schema.ts";
import { checkSchemaLimits } from "../../validation/schema-limits.ts";
import { readDocument } from "./read-document.ts";

const ok = { responses: { 200: { description: "OK" } } };
const paths = { "/pets": { get: ok } };
const json = (schema: object) => ({ content: { "application/json": { schema } } });

/** The input schema of a POST with this body, and a check of inputs against it. */
function inputOf(schema: object, schemas: object = {}, openapi = "3.1.0") {
  const requestBody = { required: true, ...json(schema) };
  const document = documentOf(
    { "/pets": { post: { ...ok, requestBody } } },
    { openapi, components: { schemas } },
  );
  const tool = toolOf(document, "POST /pets");
  const { inputSchema } = tool.definition;
  expect([...checkSchemaLimits(inputSchema), ...checkSchema(inputSchema)]).toEqual([]);
  const validate = compileSchema(inputSchema, { allErrors: true, isCounted: false });
  return {
    ...tool,
    inputSchema,
    properties: inputSchema["properties"] as Record<string, never>,
    accepts: (input: object) => validate(input),
  };
}

describe("readDocument", () => {
  it("shows servers without a user name, a password and a query", () => {
    const url = "https://user:SECRET@api.example.com/v1?token=SECRET#SECRET";
    const servers = [{ url }, { url: "/v2?SECRET" }, { url: "https://{region}.example.com/a@b" }];
    expect(
      readDocument(documentOf(paths, { servers })).servers.map((server) => server.url),
    ).toEqual(["https://api.example.com/v1", "/v2", "https://{region}.example.com/a@b"]);
  });

  it("lists operations with what a person chooses by", () => {
    const operation = {
      ...ok,
      operationId: "listPets",
      summary: "list all <b>pets</b>.",
      description: "Returns [pets](https://example.com)\n\n> [!NOTE]\n> **All** of them",
      tags: ["pets", "pets", 1],
      deprecated: true,
    };
    const summary = readDocument(documentOf({ "/pets": { get: operation } }));
    expect(summary).toMatchObject({
      title: "Pets",
      version: "1.0",
      format: "openapi-3.1",
      skipped: [],
    });
    expect(summary.operations).toMatchObject([
      {
        key: "GET /pets",
        operationId: "listPets",
        title: "List all pets",
        description: "list all pets. Returns pets All of them.",
        tags: ["pets"],
        isDeprecated: true,
        schemaBytes: 62,
      },
    ]);
  });

  it.each([
    [{ operationId: "pets/list", summary: "List all pets." }, "List all pets"],
    [{ operationId: "listPets", summary: "The fastest way to get pets! 🚀" }, "List pets"],
    [{ operationId: "listPets", summary: "🐶 Get pets" }, "Get pets"],
    [{ operationId: "list_pet_owners", summary: "Returns the owners." }, "List pet owners"],
    [{ operationId: "Pet.createOwner", summary: "Owner of a pet" }, "Owner of a pet"],
    [{ operationId: "createPetUsingPOST_1" }, "Create pet"],
    [
      { operationId: "CreatePet", summary: "Create a pet that lives with the account that asks." },
      "Create pet",
    ],
    [{ operationId: "createPet", summary: "[Beta] Create a pet" }, "[Beta] Create a pet"],
    [
      { operationId: "op_12", summary: "List pets, and their owners in the same town" },
      "List pets, and their owners in the same town",
    ],
    [{ operationId: "issues/list-forRepo" }, "Issues list for repo"],
    [{ operationId: "readCoreV1PodOfOpenAPI" }, "Read core v1 pod of open API"],
    [{ operationId: "op1", summary: "Awesome!" }, "GET /pets"],
    [{}, "GET /pets"],
  ])("makes a title of %j", (operation, expected) => {
    expect(
      readDocument(documentOf({ "/pets": { get: { ...ok, ...operation } } })).operations[0]?.title,
    ).toBe(expected);
  });

  it("reads YAML with merge keys, comments and numbers as keys", () => {
    const text = [
      "# comment",
      "openapi: 3.1",
      "info: { title: Pets, version: 1 }",
      "x-common: &common { description: OK }",
      "paths:",
      "  /pets:",
      "    get:",
      "      responses:",
      "        200: { <<: *common, content: { application/json: { schema: { type: array } } } }",
    ].join("\n");
    const { operations, format } = readDocument(Buffer.from(text));
    expect([format, operations.length]).toEqual(["openapi-3.1", 1]);
    const options = { serverUrl: "https://x.example" };
    expect(
      toolOf(Buffer.from(text), "GET /pets", options).definition.outputSchema.properties[0]?.name,
    ).toBe("items");
  });

  it.each([
    ["", "The file is empty"],
    ["[]", "no OpenAPI document"],
    ["{", "not valid JSON"],
    ["a: [", "not valid YAML"],
    ["<!DOCTYPE html>", "This is a web page"],
    ['{"swagger":"1.2"}', "version of Swagger is not supported"],
    ['{"openapi":"4.0.0"}', "version of OpenAPI is not supported"],
    ['{"asyncapi":"3.0.0"}', "AsyncAPI"],
    ['{"info":{"_postman_id":"x"}}', "version of Postman collections"],
    ['{"a":1}', 'neither "openapi" nor "swagger"'],
    ["\u0000\u0001", "not valid YAML"],
  ])("refuses %j as a whole", (text, reason) => {
    expect(() => readDocument(Buffer.from(text))).toThrow(reason);
  });

  it("refuses text that is not UTF-8", () => {
    expect(() => readDocument(Buffer.from([0x7b, 0xff]))).toThrow("not text in UTF-8");
  });

  it("lists the security schemes with what connections need", () => {
    const flow = {
      authorizationUrl: "https://a.example/auth",
      tokenUrl: "https://a.example/token",
      scopes: { read: "", "bad scope": "" },
    };
    const securitySchemes = {
      login: { type: "oauth2", flows: { authorizationCode: flow } },
      machine: {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: "https://a.example/token", scopes: {} } },
      },
      oidc: {
        type: "openIdConnect",
        openIdConnectUrl: "https://a.example/.well-known/openid-configuration",
      },
      strange: { type: "http", scheme: "digest" },
      broken: { type: "apiKey", in: "header", name: "bad name\n" },
    };
    const found = readDocument(
      documentOf(paths, { components: { securitySchemes } }),
    ).securitySchemes;
    expect(found.map(({ kind, credentialNames }) => [kind, ...credentialNames])).toEqual([
      ["oauth2", "PETS_LOGIN_TOKEN"],
      ["oauth2", "PETS_MACHINE_TOKEN"],
      ["oauth2", "PETS_OIDC_TOKEN"],
      ["unsupported"],
      ["unsupported"],
    ]);
    expect(found.map(({ connection }) => connection)).toEqual([
      {
        grantType: "authorization_code",
        authorizationUrl: flow.authorizationUrl,
        tokenUrl: flow.tokenUrl,
        scopes: ["read"],
      },
      { grantType: "client_credentials", tokenUrl: flow.tokenUrl, scopes: [] },
      { grantType: "authorization_code", issuer: "https://a.example", scopes: [] },
      undefined,
      undefined,
    ]);
  });

  it.each([
    ["BearerToken", "", "Bearer"],
    ["key", "Send `Authorization: Token <key>`.", "Token"],
    ["key", 'Use the prefix "ApiKey".', "ApiKey"],
    ["key", "Authorization: DeepL-Auth-Key [key]", "DeepL-Auth-Key"],
    ["key", "The key of your account.", undefined],
  ])("says what comes before an API key in the Authorization header: %s, %s", (...scheme) => {
    const [name, description, prefix] = scheme;
    const key = { type: "apiKey", in: "header", name: "Authorization", description };
    const document = documentOf(paths, {
      components: { securitySchemes: { [name]: key } },
      security: [{ [name]: [] }],
    });
    const [found] = readDocument(document).securitySchemes;
    expect(found?.prefix).toBe(prefix);
    expect(found?.hint).toContain(`${prefix ?? "Bearer"} `);
    const [credential] = toolOf(document, "GET /pets").definition.credentials;
    expect(credential?.description).toContain(found?.hint);
  });

  it("lists all alternatives of security, those that tools support first", () => {
    const securitySchemes = {
      tls: { type: "mutualTLS" },
      key: { type: "apiKey", in: "header", name: "K" },
      app: { type: "apiKey", in: "header", name: "A" },
      token: { type: "http", scheme: "bearer" },
    };
    const security = [{ tls: [] }, { key: [], app: [] }, { token: [] }, { unknown: [] }];
    const document = documentOf(paths, { components: { securitySchemes }, security });
    expect(readDocument(document).operations).toMatchObject([
      { security: [["key", "app"], ["token"], ["tls"]] },
    ]);
  });

  it.each([
    [
      "another document",
      { parameters: [{ $ref: "https://evil.example/x.json#/p" }] },
      "another document",
    ],
    ["a file", { requestBody: json({ $ref: "file:///etc/passwd" }) }, "another document"],
    [
      "a private address",
      { requestBody: { $ref: "http://169.254.169.254/latest" } },
      "another document",
    ],
    [
      "a missing parameter",
      { parameters: [{ $ref: "#/components/parameters/none" }] },
      "does not exist",
    ],
    ["a parameter without a name", { parameters: [{ in: "query" }] }, 'no "name"'],
  ])("skips an operation that uses %s, and no other", (_, operation, reason) => {
    const summary = readDocument(
      documentOf({ ...paths, "/bad": { get: ok, post: { ...ok, ...operation } } }),
    );
    expect(summary.operations.map(({ key }) => key)).toEqual(["GET /pets", "GET /bad"]);
    expect(summary.skipped).toMatchObject([
      { key: "POST /bad", reason: expect.stringContaining(reason) as string },
    ]);
  });

  it("refuses nothing for faults in what no operation uses", () => {
    const components = {
      schemas: { A: { $ref: "file:///x" }, B: null, C: { $ref: "#/components/schemas/C" } },
      parameters: 1,
    };
    const webhooks = { x: { post: { requestBody: { $ref: "file:///x" } } } };
    expect(
      readDocument(documentOf({ ...paths, "x-note": null }, { components, webhooks })).skipped,
    ).toEqual([]);
    const swagger = {
      swagger: "2.0",
      info: null,
      paths: { ...paths, "/x": { "x-extra": null, get: ok } },
      parameters: { a: { name: "no place" } },
    };
    expect(readDocument(toBytes(swagger))).toMatchObject({ skipped: [], operations: [{}, {}] });
  });

  it("skips methods that tools cannot send, and paths that are none", () => {
    const summary = readDocument(
      documentOf(
        {
          "/a": { query: ok, trace: ok, additionalOperations: { COPY: ok } },
          "/../b": { get: ok },
          "/c d": { get: ok },
          "/e#f": { get: ok },
        },
        { openapi: "3.2.0" },
      ),
    );
    expect(summary.operations).toEqual([]);
    expect(summary.skipped.map(({ key }) => key)).toEqual([
      "QUERY /a",
      "TRACE /a",
      "COPY /a",
      "GET /../b",
      "GET /c d",
      "GET /e#f",
    ]);
  });

  it("tells operations with the same operationId apart", () => {
    const same = { ...ok, operationId: "pets" };
    expect(
      readDocument(documentOf({ "/a": { get: same }, "/b": { get: same } })).operations.map(
        ({ key }) => key,
      ),
    ).toEqual(["GET /a", "GET /b"]);
  });
});

describe("hash", () => {
  const hashOf = (document: Buffer) => readDocument(document).operations[0]?.hash;
  const withSchemas = (schemas: object, rest: object = {}) =>
    documentOf(
      {
        "/pets": { post: { ...ok, requestBody: json({ $ref: "#/components/schemas/Pet" }) } },
        ...rest,
      },
      { components: { schemas } },
    );
  const base = {
    Pet: { type: "object", properties: { owner: { $ref: "#/components/schemas/Owner" } } },
    Owner: { type: "object", properties: { id: { type: "string" } } },
  };

  it("changes with a schema that is used through references", () => {
    const changed = { ...base, Owner: { type: "object", properties: { id: { type: "integer" } } } };
    expect(hashOf(withSchemas(changed))).not.toBe(hashOf(withSchemas(base)));
  });

  it("stays the same when something else changes", () => {
    const more = { ...base, Other: { type: "string" } };
    expect(hashOf(withSchemas(more, { "/other": { get: ok } }))).toBe(hashOf(withSchemas(base)));
  });

  it("is the same in the list and in the tool", () => {
    expect(toolOf(withSchemas(base), "POST /pets").hash).toBe(hashOf(withSchemas(base)));
  });

  it.each([
    ["the server", { servers: [{ url: "https://other.example" }] }],
    [
      "the security",
      {
        security: [{ key: [] }],
        components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "K" } } },
      },
    ],
    ["the name of the API", { info: { title: "Other", version: "1" } }],
  ])("changes with %s", (_, rest) => {
    expect(hashOf(documentOf(paths, rest))).not.toBe(hashOf(documentOf(paths)));
  });
});

describe("input schemas", () => {
  it("follows recursive references", () => {
    const Node = {
      type: "object",
      properties: { children: { type: "array", items: { $ref: "#/components/schemas/Node" } } },
    };
    const { accepts } = inputOf({ $ref: "#/components/schemas/Node" }, { Node });
    expect([
      accepts({ children: [{ children: [{}] }] }),
      accepts({ children: [{ children: [1] }] }),
    ]).toEqual([true, false]);
  });

  it.each([
    ["itself", { A: { $ref: "#/components/schemas/A" } }],
    [
      "itself through another",
      { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } },
    ],
    ["itself in allOf", { A: { allOf: [{ $ref: "#/components/schemas/A" }, { type: "object" }] } }],
    [
      "itself in anyOf",
      {
        A: {
          anyOf: [
            { $ref: "#/components/schemas/A" },
            { type: "object", properties: { a: { type: "string" } } },
          ],
        },
      },
    ],
    [
      "itself in two alternatives",
      {
        A: { oneOf: [{ $ref: "#/components/schemas/B" }, { type: "array" }] },
        B: { oneOf: [{ $ref: "#/components/schemas/A" }, { type: "string" }] },
      },
    ],
    ["nothing", { A: { $ref: "#/components/schemas/None" } }],
    ["an anchor", { A: { $ref: "#anchor" } }],
  ])("accepts a schema that refers to %s", (_, schemas) => {
    const { accepts } = inputOf(
      { type: "object", properties: { a: { $ref: "#/components/schemas/A" }, b: {} } },
      schemas,
    );
    expect(accepts({ a: { a: "x" }, b: 1 }) || accepts({ a: "x", b: 1 })).toBe(true);
  });

  it("understands the dialect of OpenAPI 3.0", () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string", nullable: true },
        kind: { type: "string", nullable: true, enum: ["a", "b", "a"] },
        age: { type: "number", minimum: 0, exclusiveMinimum: true },
        limit: { type: "integer", maximum: 5, exclusiveMaximum: false },
        any: { nullable: true, oneOf: [{ type: "string" }, { type: "integer" }] },
      },
    };
    const { accepts } = inputOf(schema, {}, "3.0.3");
    expect(accepts({ name: null, kind: null, age: 0.1, limit: 5, any: null })).toBe(true);
    expect(["name", "kind", "age", "any"].map((name) => accepts({ [name]: false }))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(accepts({ age: 0 })).toBe(false);
  });

  it("understands types with null, and flattens allOf", () => {
    const parts = [
      { $ref: "#/components/schemas/Base" },
      {
        type: "object",
        required: ["b"],
        additionalProperties: false,
        properties: { b: { type: ["integer", "null"] } },
      },
    ];
    const Base = {
      type: "object",
      required: ["a"],
      additionalProperties: false,
      properties: { a: { type: "string" } },
    };
    const { inputSchema, accepts } = inputOf({ allOf: parts }, { Base });
    expect(inputSchema).toMatchObject({ required: ["b", "a"].toSorted() });
    expect([accepts({ a: "x", b: null }), accepts({ a: "x" })]).toEqual([true, false]);
    const nested = inputOf({ type: "object", properties: { pet: { allOf: parts } } }, { Base });
    expect([
      nested.accepts({ pet: { a: "x", b: 1 } }),
      nested.accepts({ pet: { a: 1, b: 1 } }),
    ]).toEqual([true, false]);
  });

  it("accepts overlapping alternatives of oneOf, without a discriminator", () => {
    const animal = {
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { type: "object" }],
      discriminator: { propertyName: "kind" },
    };
    const Cat = { type: "object", required: ["kind"], properties: { kind: { const: "cat" } } };
    const { accepts } = inputOf({ type: "object", properties: { animal } }, { Cat });
    expect(accepts({ animal: { kind: "cat" } })).toBe(true);
  });

  it("leaves out what callers never send, and marks secrets", () => {
    const schema = {
      type: "object",
      required: ["id", "secret"],
      properties: {
        id: { type: "string", readOnly: true },
        secret: { type: "string", format: "password", writeOnly: true },
        nested: {
          type: "object",
          required: ["id"],
          properties: { id: { type: "string", readOnly: true } },
        },
      },
    };
    const { inputSchema, properties, accepts } = inputOf(schema);
    expect(Object.keys(properties)).toEqual(["secret", "nested"]);
    expect(inputSchema["required"]).toEqual(["secret"]);
    expect(properties["secret"]).toMatchObject({ format: "password", writeOnly: true });
    expect(accepts({ secret: "x", nested: {} })).toBe(true);
  });

  it("leaves invalid patterns to the API, and says so", () => {
    const properties = {
      a: { type: "string", pattern: "(" },
      b: { type: "string", pattern: "[\\w-.]" },
      c: { type: "string", pattern: "/^x$/i" },
      d: { type: "string", pattern: "^x$" },
    };
    const tool = inputOf({ type: "object", properties });
    expect(JSON.stringify(tool.inputSchema).match(/"pattern"/g)).toHaveLength(1);
    expect(tool.notes).toEqual(['The input schema leaves these to the API: "pattern".']);
  });

  it("handles properties with the names of members of all objects", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"string"},"nested":{"type":"object","additionalProperties":false,"properties":{"constructor":{"type":"string"},"a":{}}}}}',
    ) as object;
    const { properties, accepts, definition } = inputOf(schema);
    expect(Object.keys(properties)).toEqual(["constructor_", "toString_", "nested"]);
    expect(definition.source.code).toContain('"constructor": input["constructor_"]');
    expect([
      accepts({}),
      accepts({ nested: {} }),
      accepts({ nested: { constructor: "x" } }),
    ]).toEqual([true, true, true]);
    expect(Object.getPrototypeOf({})).not.toHaveProperty("type");
  });

  it("has a field for required properties that are not described", () => {
    expect(
      inputOf({ type: "object", required: ["team"], properties: { a: {} } }).inputSchema,
    ).toMatchObject({ required: ["team"] });
  });

  it("accepts values of enums whose type is wrong", () => {
    expect(
      inputOf({ type: "object", properties: { a: { type: "string", enum: [1, 2] } } }).accepts({
        a: 2,
      }),
    ).toBe(true);
  });

  it("fits into 48 kB, says what was cut, and accepts what the full schema accepts", () => {
    const leaf = {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [
          `member_${at}`,
          { type: "string", description: "long ".repeat(100) },
        ]),
      ),
    };
    const level = (below: object) => ({
      type: "object",
      properties: Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, below])),
    });
    const tool = inputOf(level(level(level(leaf))));
    expect(JSON.stringify(tool.inputSchema).length).toBeLessThanOrEqual(48 * 1024);
    expect(tool.notes[0]).toMatch(
      /larger than a tool's may be \(48 kB\).*accept any value: "object"/,
    );
    expect(tool.accepts({ a: { b: { c: { member_1: "x" } } } })).toBe(true);
  });

  it("leaves out optional fields that do not fit, but no required one", () => {
    const fields = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, at) => [
        `field_with_a_long_name_${at}`,
        { type: "string" },
      ]),
    );
    const tool = inputOf({
      type: "object",
      properties: fields,
      required: ["field_with_a_long_name_2999"],
    });
    expect(tool.properties).toHaveProperty("field_with_a_long_name_2999");
    expect(tool.notes[0]).toMatch(/optional fields were left out/);
    const all = documentOf({
      "/pets": {
        post: {
          ...ok,
          requestBody: {
            required: true,
            ...json({ type: "object", properties: fields, required: Object.keys(fields) }),
          },
        },
      },
    });
    expect(readDocument(all).skipped[0]?.reason).toContain("more required fields");
  });
});

describe("Swagger 2", () => {
  const swagger = (operation: object, rest: object = {}) =>
    toBytes({
      swagger: "2.0",
      info: { title: "Old" },
      host: "old.example",
      consumes: ["application/json"],
      produces: ["application/json"],
      paths: { "/pets/{id}": { post: { ...ok, ...operation } } },
      ...rest,
    });
  const key = "POST /pets/{id}";

  it("reads bodies and forms behind references", () => {
    const body = { name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } };
    const definitions = {
      Pet: { type: "object", properties: { name: { type: "string", "x-nullable": true } } },
    };
    const tool = toolOf(
      swagger(
        { parameters: [{ $ref: "#/parameters/pet" }] },
        { parameters: { pet: body }, definitions },
      ),
      key,
    );
    expect(tool.definition.inputSchema["properties"]).toMatchObject({
      id: {},
      name: { type: ["string", "null"] },
    });
    const form = { name: "file", in: "formData", type: "file", required: true };
    const upload = toolOf(
      swagger(
        { consumes: ["multipart/form-data"], parameters: [{ $ref: "#/parameters/form" }] },
        { parameters: { form } },
      ),
      key,
    );
    expect(upload.definition.fileFields).toEqual(["file"]);
  });

  it("reads parameters of the path, formats of collections, and responses behind references", () => {
    const tags = {
      name: "tags",
      in: "query",
      type: "array",
      items: { type: "string" },
      collectionFormat: "pipes",
    };
    const responses = { 200: { $ref: "#/responses/pet" } };
    const rest = {
      responses: { pet: { description: "", schema: { $ref: "#/definitions/Pet" } } },
      definitions: { Pet: { type: "object", properties: { id: { type: "integer" } } } },
    };
    const tool = toolOf(swagger({ parameters: [tags], responses }, rest), key);
    expect(tool.definition.source.code).toContain('joined("tags", input["tags"], "%7C")');
    expect(tool.definition.outputSchema.properties).toMatchObject([
      { name: "id", type: "integer", lenient: true },
    ]);
  });

  it("declares the types of outputs, and of what they contain", () => {
    const schema = {
      type: "object",
      properties: {
        pets: { type: "array", items: { $ref: "#/definitions/Pet" } },
        owner: { $ref: "#/definitions/Pet" },
        tags: { type: "array", items: { type: "string" } },
        mixed: {},
      },
    };
    const rest = {
      definitions: { Pet: { type: "object", properties: { id: { type: "integer" } } } },
    };
    const tool = toolOf(swagger({ responses: { 200: { description: "", schema } } }, rest), key);
    const pet = { type: "object", properties: { id: { type: "integer" } } };
    expect(tool.definition.outputSchema.properties).toMatchObject([
      { name: "pets", type: "array", items: pet },
      { name: "owner", ...pet },
      { name: "tags", type: "array", items: { type: "string" } },
      { name: "mixed", type: "any" },
    ]);
  });

  it("reads flows of OAuth 2", () => {
    const securityDefinitions = {
      login: {
        type: "oauth2",
        flow: "accessCode",
        authorizationUrl: "https://a.example/x",
        tokenUrl: "https://a.example/y",
        scopes: { a: "" },
      },
    };
    expect(
      readDocument(swagger({}, { securityDefinitions })).securitySchemes[0]?.connection,
    ).toMatchObject({ grantType: "authorization_code", scopes: ["a"] });
  });
});

describe("definitions", () => {
  it.each([
    ["get", true, false],
    ["head", true, false],
    ["put", true, false],
    ["post", false, false],
    ["patch", false, false],
    ["delete", false, true],
  ])("derives the behavior of %s", (method, idempotent, confirm) => {
    const { definition } = toolOf(
      documentOf({ "/pets": { [method]: ok } }),
      `${method.toUpperCase()} /pets`,
    );
    expect(definition).toMatchObject({ idempotent, confirm });
  });

  it("asks for confirmation where the document marks it, and never removes it", () => {
    const marked = documentOf({
      "/pets": {
        post: { ...ok, "x-openai-isConsequential": true },
        delete: { ...ok, "x-confirm": false },
      },
    });
    expect(
      ["POST /pets", "DELETE /pets"].map((key) => toolOf(marked, key).definition.confirm),
    ).toEqual([true, true]);
  });

  it("has an example if the document has one for each required field", () => {
    const parameters = [
      {
        name: "a",
        in: "query",
        required: true,
        schema: { type: "string", examples: ["from the schema"] },
      },
      {
        name: "b",
        in: "query",
        schema: { type: "string" },
        examples: { one: { value: "from the parameter" } },
      },
      { name: "c", in: "query", schema: { type: "string" } },
    ];
    const { definition } = toolOf(
      documentOf({ "/pets": { get: { ...ok, parameters } } }),
      "GET /pets",
    );
    expect(definition.examples).toEqual([
      { input: { a: "from the schema", b: "from the parameter" } },
    ]);
    const missing = [...parameters, { name: "d", in: "query", required: true, schema: {} }];
    expect(
      toolOf(documentOf({ "/pets": { get: { ...ok, parameters: missing } } }), "GET /pets")
        .definition.examples,
    ).toEqual([]);
  });

  it("shortens descriptions after a sentence", () => {
    const description = "A sentence of the document. ".repeat(80);
    const { definition } = toolOf(
      documentOf({ "/pets": { get: { ...ok, description } } }),
      "GET /pets",
    );
    expect(definition.description.length).toBeLessThan(1_000);
    expect(definition.description).toMatch(/document\. Sends GET \/pets to Pets\.$/);
  });
});

it("notes that operations beyond the limit are left out", () => {
  const many = Array.from({ length: 20_001 }, (_, at) => [`/a${at}`, { get: {} }]);
  const read = (entries: typeof many) => readDocument(documentOf(Object.fromEntries(entries)));
  const cut = read(many);
  expect(cut.operations).toHaveLength(20_000);
  expect(cut.notes).toEqual([expect.stringContaining("more than 20,000 operations")]);
  expect(read(many.slice(0, 1)).notes).toEqual([]);
});
