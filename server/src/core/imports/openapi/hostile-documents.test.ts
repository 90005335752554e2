import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { API } from "typescript/unstable/sync";
import { SyntaxKind } from "typescript/unstable/ast";
import type { Node } from "typescript/unstable/ast";
import { describe, expect, it } from "vitest";
import { documentOf, runTool, toBytes, toolOf } from "#testing/imports/generated-tool";
import { generateTools } from "./generate-tools.ts";
import { readDocument } from "./read-document.ts";

const ok = { responses: { 200: { description: "OK" } } };
const marker = "HOSTILE";
/** Texts that end strings, templates, comments, types and lines, around a call. */
const attacks = [
  `*/ ${marker}(); /*`,
  `"; ${marker}(); "`,
  `'; ${marker}(); '`,
  `\`; ${marker}(); \``,
  `\${${marker}()}`,
  `\n${marker}();\n`,
  `\r${marker}();\u2028${marker}();\u2029`,
  `</script><script>${marker}()</script><!--${marker}`,
  `\\"; ${marker}(); //`,
  `\u202E${marker}()\u2066`,
  `"]; ${marker}(); x["`,
  `}, ${marker}: ${marker}(), y: {`,
];

type Token = { kind: SyntaxKind; text: string };

/** The nodes without children in which the marker occurs, and the texts between nodes, such as comments. */
function placesOf(code: string): Token[] {
  const folder = mkdtempSync(join(tmpdir(), "hostile-documents-"));
  const file = join(folder, "tool.ts");
  const config = join(folder, "tsconfig.json");
  writeFileSync(file, code);
  writeFileSync(
    config,
    JSON.stringify({ files: ["tool.ts"], compilerOptions: { lib: ["esnext"], types: [] } }),
  );
  const api = new API();
  try {
    const source = api
      .updateSnapshot({ openProjects: [config] })
      .getProject(config)
      ?.program.getSourceFile(file);
    if (source === undefined) throw new Error("The code was not parsed");
    const found: Token[] = [];
    let rest = code;
    const visit = (node: Node): void => {
      let hasChildren = false;
      node.forEachChild((child) => {
        hasChildren = true;
        visit(child);
      });
      if (hasChildren) return;
      const text = code.slice(node.getStart(source), node.end);
      if (text.includes(marker)) found.push({ kind: node.kind, text });
      if (node.kind === SyntaxKind.StringLiteral) rest = rest.replace(text, "");
    };
    visit(source);
    if (rest.includes(marker)) found.push({ kind: SyntaxKind.Unknown, text: rest });
    return found;
  } finally {
    api.close();
    rmSync(folder, { recursive: true });
  }
}

/** A document with the text wherever it can have one. */
function hostileDocument(text: string): { document: Buffer; key: string } {
  const path = `/pets/${text.replaceAll(/[#\s\\\p{Cc}\u2028\u2029{}]/gu, "_")}/{${text.replaceAll(/[#\s\\/\p{Cc}{}]/gu, "_")}}`;
  const schema = {
    type: "object",
    title: text,
    description: text,
    properties: {
      [text]: { type: "string", enum: [text], default: text, description: text },
      file: { type: "string", format: "binary", description: text },
    },
    required: [text],
  };
  const parameters = ["query", "header", "cookie"].flatMap((place) => [
    {
      name: text,
      in: place,
      description: text,
      schema: { type: "string", default: text, example: text },
    },
    { name: `${text} list`, in: place, style: "form", explode: false, schema: { type: "array" } },
  ]);
  const media =
    text.includes("/") || /[\s\p{Cc}]/u.test(text) ? "multipart/form-data" : `multipart/${text}`;
  const answer = {
    type: "object",
    properties: { [text]: { type: "string", description: text }, next_cursor: { type: "string" } },
  };
  const operation = {
    operationId: text,
    summary: text,
    description: text,
    tags: [text],
    parameters: [...parameters, { name: "cursor", in: "query", schema: { type: "string" } }],
    requestBody: { description: text, required: true, content: { [media]: { schema } } },
    responses: {
      200: { description: text, content: { [`application/json; x=${text}`]: { schema: answer } } },
    },
    security: [{ [text]: [text] }],
  };
  const securitySchemes = {
    [text]: { type: "apiKey", in: "query", name: text, description: text },
  };
  const document = documentOf(
    { [path]: { post: operation } },
    { info: { title: text, version: text, description: text }, components: { securitySchemes } },
  );
  return { document, key: `POST ${path}` };
}

describe("generateTools", () => {
  it.each(attacks)("writes texts of documents as string literals only: %j", (text) => {
    const { document, key } = hostileDocument(text);
    const { definition } = toolOf(document, key);
    const places = placesOf(definition.source.code);
    expect(places.length).toBeGreaterThan(5);
    expect(places.filter(({ kind }) => kind !== SyntaxKind.StringLiteral)).toEqual([]);
    expect(definition.source.code).not.toMatch(
      /<\/script|<!--|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/,
    );
  });

  it("does not find texts only in string literals if it were otherwise", () => {
    expect(placesOf(`// ${marker}\nconst a = "${marker}";`).map(({ kind }) => kind)).toEqual([
      SyntaxKind.StringLiteral,
      SyntaxKind.Unknown,
    ]);
    expect(placesOf(`const a = \`${marker} \${1}\`;`)[0]?.kind).not.toBe(SyntaxKind.StringLiteral);
  });

  it("sends a hostile name as a name", async () => {
    const parameters = [{ name: `"];${marker}();["`, in: "query", schema: {} }];
    const { definition } = toolOf(
      documentOf({ "/pets": { get: { ...ok, parameters } } }),
      "GET /pets",
    );
    const [field = ""] = Object.keys(definition.inputSchema["properties"] as object);
    const { request } = await runTool(definition, { [field]: "x" });
    expect(new URL(request.url).searchParams.get(`"];${marker}();["`)).toBe("x");
  });

  it.each([
    "https://api.example.com/`HOSTILE()`",
    'https://api.example.com/";HOSTILE();"',
    "https://api.example.com/*/HOSTILE()",
  ])("writes the server as a string literal: %j", (url) => {
    const { definition } = toolOf(
      documentOf({ "/pets": { get: ok } }, { servers: [{ url }] }),
      "GET /pets",
      { serverUrl: url },
    );
    expect(
      placesOf(definition.source.code).every(({ kind }) => kind === SyntaxKind.StringLiteral),
    ).toBe(true);
    expect(definition.allowedHosts).toEqual(["api.example.com"]);
  });
});

describe("hostile documents", () => {
  it("adds a note if names or values contain invisible characters", () => {
    const hidden = "a\u{e0041}\u3164";
    const parameters = [
      { name: "b", in: "query", schema: { enum: [hidden] }, description: hidden },
    ];
    const document = documentOf({ "/pets": { get: { ...ok, summary: hidden, parameters } } });
    const { definition, notes } = toolOf(document, "GET /pets");
    expect([definition.title, definition.inputSchema["properties"]]).toEqual([
      "A",
      { b: { enum: [hidden], description: "a" } },
    ]);
    expect(notes).toEqual([
      'The tool contains invisible characters in "/inputSchema/properties/b/enum/0". Read it with care.',
    ]);
  });

  it("keeps every text and list of a summary short", () => {
    const long = "x".repeat(2_100);
    const many = <T>(count: number, value: (at: number) => T) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, value(at)]));
    const flow = {
      tokenUrl: `https://a.example/${long}`,
      authorizationUrl: `https://a.example/${long}`,
      scopes: { [long]: "", read: "" },
    };
    const { servers, securitySchemes } = readDocument(
      documentOf(
        { "/pets": { get: ok } },
        {
          servers: Object.values(
            many(60, (at) => ({
              url: `https://s${at}.example`,
              description: long,
              variables: { [long]: {}, ...many(25, () => ({ default: long, enum: [long, "a"] })) },
            })),
          ),
          components: {
            securitySchemes: {
              [long]: { type: "http", scheme: "bearer" },
              key: { type: "apiKey", in: "query", name: long },
              flows: { type: "oauth2", description: long, flows: { authorizationCode: flow } },
              open: { type: "openIdConnect", openIdConnectUrl: `https://a.example/${long}` },
              ...many(60, () => ({ type: "http", scheme: "bearer" })),
            },
          },
        },
      ),
    );
    expect([servers.length, servers[0]?.variables.length, securitySchemes.length]).toEqual([
      50, 20, 50,
    ]);
    expect(servers[0]?.variables[0]).toEqual({
      name: "n0",
      default: "a",
      choices: ["a"],
      description: "",
    });
    expect(securitySchemes[0]).toMatchObject({ name: "key", kind: "unsupported" });
    expect(securitySchemes[1]?.connection).toEqual({
      grantType: "authorization_code",
      scopes: ["read"],
    });
    expect(securitySchemes[2]).not.toHaveProperty("connection");
    const url = `https://a.example/${long}`;
    expect(readDocument(documentOf({}, { servers: [{ url }] })).servers).toEqual([
      { url: "/", description: "", variables: [] },
    ]);
    const swagger = {
      swagger: "2.0",
      info: {},
      host: "a.example",
      basePath: `/${long}`,
      paths: {},
    };
    expect(readDocument(toBytes(swagger)).servers).toEqual([]);
  });

  const deep = (count: number, open: string, close: string) =>
    `${open.repeat(count)}${close.repeat(count)}`;

  it.each([
    [
      "a million nested arrays",
      `{"openapi":"3.1.0","x":${deep(1_000_000, "[", "]")}}`,
      /200 levels|not valid JSON/,
    ],
    [
      "a million nested objects",
      `{"openapi":"3.1.0","x":${'{"a":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}}`,
      /200 levels|not valid JSON/,
    ],
    ["20 MB of brackets", "[".repeat(20 * 1024 * 1024), /not valid JSON/],
    ["more than 20 MB", " ".repeat(20 * 1024 * 1024 + 1), /limit is 20 MB/],
    ["nested YAML", `openapi: 3.1.0\nx: ${deep(10_000, "[", "]")}`, /not valid YAML/],
    [
      "too many values",
      `{"openapi":"3.1.0","x":[${"0,".repeat(2_000_001)}0]}`,
      /more than 2000000 values/,
    ],
  ])("refuses %s", (_, text, reason) => {
    expect(() => readDocument(Buffer.from(text))).toThrow(reason);
  });

  it("refuses YAML aliases that multiply", () => {
    const lines = Array.from({ length: 12 }, (_, level) => {
      const items = level === 0 ? "x" : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: 10 }, () => items).join(",")}]`;
    });
    expect(() =>
      readDocument(Buffer.from(`openapi: 3.1.0\n${lines.join("\n")}\npaths: {}`)),
    ).toThrow("YAML aliases counted");
  });

  it("refuses YAML aliases that contain themselves", () => {
    expect(() => readDocument(Buffer.from("openapi: 3.1.0\nx: &a { b: *a }\npaths: {}"))).toThrow(
      "200 levels",
    );
  });

  it("accepts long names and many references to one schema", () => {
    const schemas = {
      Shared: {
        type: "object",
        properties: {
          ["n".repeat(100_000)]: { type: "string" },
          a: { $ref: "#/components/schemas/Shared" },
        },
      },
    };
    const requestBody = {
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: Object.fromEntries(
              Array.from({ length: 500 }, (_, at) => [
                `p${at}`,
                { $ref: "#/components/schemas/Shared" },
              ]),
            ),
          },
        },
      },
    };
    const summary = readDocument(
      documentOf({ "/pets": { post: { ...ok, requestBody } } }, { components: { schemas } }),
    );
    expect(summary.operations[0]?.schemaBytes).toBeLessThanOrEqual(48 * 1024);
  });

  it("cuts references that double at each level", () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const $ref = `#/components/schemas/S${at + 1}`;
        return [`S${at}`, { anyOf: [{ $ref }, { allOf: [{ $ref }, { not: {} }] }] }];
      }),
    );
    const requestBody = {
      content: {
        "application/json": {
          schema: { type: "object", properties: { a: { $ref: "#/components/schemas/S0" } } },
        },
      },
    };
    const { operations } = readDocument(
      documentOf({ "/pets": { post: { ...ok, requestBody } } }, { components: { schemas } }),
    );
    expect(operations).toHaveLength(1);
  });

  it("ignores members named __proto__ anywhere", () => {
    const text = `{"openapi":"3.0.0","__proto__":{"paths":{"/evil":{"get":{}}}},"info":{"title":"x","version":"1"},"servers":[{"url":"https://a.example"}],
      "paths":{"__proto__":{"get":{}},"/a":{"__proto__":{"delete":{}},"get":{"__proto__":{"deprecated":true},"responses":{}}}},
      "components":{"securitySchemes":{"__proto__":{"type":"http","scheme":"basic"}}}}`;
    const summary = readDocument(Buffer.from(text));
    expect(summary.operations.map(({ key, isDeprecated }) => [key, isDeprecated])).toEqual([
      ["GET /a", false],
    ]);
    expect(summary.securitySchemes).toEqual([]);
    expect(
      generateTools(Buffer.from(text), { keys: ["toString", "__proto__", "GET /a"] }),
    ).toMatchObject({ tools: [{ key: "GET /a" }], skipped: [{}, {}] });
  });

  /** Values of each kind in the place of every member of a document, one after the other. */
  it("accepts or refuses any value in any place, without another error", () => {
    const { document } = hostileDocument("plain");
    const root = JSON.parse(document.toString()) as object;
    const swagger = {
      swagger: "2.0",
      info: {},
      host: "a.example",
      basePath: "/",
      schemes: ["https"],
      consumes: ["application/json"],
      produces: ["application/json"],
      securityDefinitions: { a: { type: "oauth2", flow: "implicit", scopes: {} } },
      definitions: { A: { type: "object", properties: { a: {} } } },
      parameters: { p: { name: "p", in: "body", schema: { $ref: "#/definitions/A" } } },
      responses: { r: { description: "", schema: { $ref: "#/definitions/A" } } },
      paths: {
        "/a": {
          parameters: [{ $ref: "#/parameters/p" }],
          post: {
            parameters: [{ name: "q", in: "query", type: "array", items: { type: "string" } }],
            responses: { 200: { $ref: "#/responses/r" } },
          },
        },
      },
    };
    let count = 0;
    for (const source of [root, { ...root, openapi: "3.0.0" }, swagger]) {
      for (const path of pathsOf(source)) {
        for (const value of [
          null,
          1,
          "x",
          [],
          {},
          [null],
          [1],
          { $ref: "#/nowhere" },
          { a: null },
          true,
        ]) {
          const changed = toBytes(replaceAt(source, path, value));
          const read = () => {
            try {
              const { operations } = readDocument(changed);
              generateTools(changed, {
                keys: operations.map(({ key }) => key),
                serverUrl: "https://a.example",
              });
            } catch (error) {
              if ((error as Error).name !== "OpenApiError")
                throw new Error(`${path.join("/")} = ${JSON.stringify(value)}`, { cause: error });
            }
          };
          expect(read).not.toThrow();
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(2_000);
  });
});

function pathsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [name],
    ...pathsOf(member).map((path) => [name, ...path]),
  ]);
}

function replaceAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  replacement: unknown,
): unknown {
  if (name === undefined) return replacement;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...(value as unknown[])]
    : { ...(value as object) };
  Reflect.set(copy, name, replaceAt(Reflect.get(copy, name), rest, replacement));
  return copy;
}
