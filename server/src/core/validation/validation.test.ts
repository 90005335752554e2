import type { ErrorDetail, JsonObject } from "@toolhost/contract";
import { afterAll, describe, expect, it } from "vitest";
import { prepareSchema } from "./prepare-schema.ts";
import { createValidation } from "./validation.ts";

const settings = { size: 2, jobCpuMs: 1_000, cpuMsPerMinute: 0 };
const validation = createValidation(settings);
afterAll(() => validation.stop());

const person = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    age: { type: "integer" },
    "a/b": { type: "object", required: ["~"], properties: { "~": { type: "null" } } },
  },
  required: ["name", "age"],
  additionalProperties: false,
};

const objectOf = (a: JsonObject) => ({ type: "object", properties: { a } });
const check = (schema: JsonObject, examples: unknown[] = []): Promise<ErrorDetail[]> =>
  validation.checkDefinition("workspace", schema, examples);
const checkInput = (schema: JsonObject, value: unknown) =>
  validation.checkInput("workspace", prepareSchema(schema), { value, text: JSON.stringify(value) });
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
/** The same schema, too large to be compiled in this process. */
const padded = (schema: JsonObject): JsonObject => ({ ...schema, $comment: "x".repeat(20_000) });

describe.each([
  ["in this process", (schema: JsonObject) => schema],
  ["in another process", padded],
])("a schema that is checked %s", (_, sized) => {
  it("is accepted", async () => {
    expect(await check(sized(person))).toEqual([]);
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    expect(await check(sized({ $schema, type: "object" }))).toEqual([]);
  });

  it("is rejected with line and column of an invalid keyword", async () => {
    const errors = await check(
      sized({
        type: "object",
        properties: { first: { type: "string" }, second: { type: "strin" } },
      }),
    );
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      path: "/inputSchema/properties/second/type",
      message: expect.stringMatching(/^must be one of \[.*"string"/),
      file: "inputSchema.json",
      line: 8,
      column: 7,
    });
  });

  it("is rejected at the invalid item of a list of types", async () => {
    const message = expect.stringContaining("must be one of");
    expect(await check(sized(objectOf({ type: ["string", "nul"] })))).toMatchObject([
      { path: "/inputSchema/properties/a/type/1", message },
    ]);
    expect(await check(sized(objectOf({ type: 5 })))).toMatchObject([{ message }]);
  });

  it.each<[string, JsonObject]>([
    ["another dialect", { $schema: "http://json-schema.org/draft-07/schema#", type: "object" }],
    ["no object", { type: "array" }],
    ["no type", {}],
    ["a reference to nowhere", objectOf({ $ref: "#/$defs/none" })],
    ["a reference to another server", { type: "object", $ref: "https://example.com/schema.json" }],
    ["a broken pattern", objectOf({ pattern: "(" })],
    ["a negative length", objectOf({ minLength: -1 })],
  ])("is rejected with %s", async (_name, schema) => {
    const [error] = await check(sized(schema));
    expect(error).toMatchObject({ file: "inputSchema.json" });
    expect(error?.line).toBeGreaterThan(0);
    expect(error?.message).not.toBe("");
  });

  it("is rejected with an invalid example", async () => {
    expect(await check(sized(person), [{ name: "Ada", age: 36 }, { name: "" }])).toMatchObject([
      { path: "/examples/1/input/age" },
      { path: "/examples/1/input/name" },
    ]);
  });

  it("accepts patterns that require a backtracking engine", async () => {
    const password = sized(objectOf({ pattern: "^(?=.*[A-Z])(?=.*\\d).{8,}$" }));
    expect(await check(password, [{ a: "Passw0rd" }])).toEqual([]);
    expect((await checkInput(password, { a: "password" })).errors).toHaveLength(1);
  });
});

describe("a schema beyond the limits", () => {
  const doubling = (count: number) => {
    const levels = many(count, (index) => {
      const next = { $ref: `#/$defs/l${index + 1}` };
      return [`l${index}`, { allOf: [next, next] }];
    });
    return {
      type: "object",
      $ref: "#/$defs/l0",
      $defs: { ...Object.fromEntries(levels), [`l${count}`]: {} },
    };
  };
  const nested = (depth: number): JsonObject =>
    depth === 0 ? {} : { properties: { a: nested(depth - 1) } };

  it.each<[string, JsonObject, string, RegExp]>([
    [
      "types",
      objectOf({ type: many(50_000, (index) => `t${index}`) }),
      "/properties/a/type",
      /limit is 7/,
    ],
    [
      "enum values",
      objectOf({ enum: many(30_000, (index) => index) }),
      "/properties/a/enum",
      /limit is 10000/,
    ],
    [
      "enum objects",
      objectOf({ enum: many(300, (index) => ({ index })) }),
      "/properties/a/enum",
      /limit is 200/,
    ],
    [
      "properties",
      { type: "object", properties: Object.fromEntries(many(4_000, (index) => [`p${index}`, {}])) },
      "/properties",
      /limit is 2000/,
    ],
    [
      "required names",
      { type: "object", required: many(3_000, String) },
      "/required",
      /limit is 2000/,
    ],
    [
      "alternatives",
      { type: "object", anyOf: many(400, (index) => ({ const: index })) },
      "/anyOf",
      /limit is 300/,
    ],
    [
      "patterns by name",
      {
        type: "object",
        patternProperties: Object.fromEntries(many(60, (index) => [`^p${index}`, {}])),
      },
      "/patternProperties",
      /limit is 50/,
    ],
    [
      "a pattern's length",
      objectOf({ pattern: "a".repeat(2_000) }),
      "/properties/a/pattern",
      /limit is 1000/,
    ],
    [
      "patterns",
      objectOf({
        properties: Object.fromEntries(many(400, (index) => [`p${index}`, { pattern: "^a" }])),
      }),
      "/properties/a/properties/p",
      /300 patterns/,
    ],
    [
      "schemas",
      objectOf({ prefixItems: many(900, () => ({ items: { items: { items: { items: {} } } } })) }),
      "/properties/a/prefixItems/",
      /4000 schemas/,
    ],
    ["depth", { type: "object", ...nested(60) }, "/properties/a", /limit is 50/],
    ["characters", { type: "object", description: "x".repeat(600_000) }, "", /limit is 524288/],
    ["references that double", doubling(40), "", /schemas to one value/],
    [
      "a circular reference",
      { type: "object", allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { $ref: "#/$defs/a" } } },
      "",
      /refers to itself/,
    ],
    [
      "a schema outside of all keywords",
      { ...objectOf({ $ref: "#/x" }), x: { type: many(9, String) } },
      "/x/type",
      /limit is 7/,
    ],
  ])("is rejected for %s, with the limit", async (_, schema, path, message) => {
    const [error] = await check(schema);
    expect(error?.path).toContain(`/inputSchema${path}`);
    expect(error?.message).toMatch(message);
  });

  it("is accepted with properties named like keywords", async () => {
    const names = Object.fromEntries(many(20, (index) => [`p${index}`, {}]));
    expect(
      await check(objectOf({ properties: { type: { type: "string" }, enum: {}, ...names } })),
    ).toEqual([]);
    expect(await check(objectOf({ default: { type: many(20, String) } }))).toEqual([]);
  });
});

describe("an input", () => {
  it("is accepted when valid", async () => {
    expect((await checkInput(person, { name: "Ada", age: 36 })).errors).toEqual([]);
    expect((await checkInput(padded(person), { name: "Ada", age: 36 })).errors).toEqual([]);
  });

  it.each([person, padded(person)])(
    "is rejected with JSON pointers to all errors",
    async (schema) => {
      const { errors } = await checkInput(schema, { name: "", extra: 1, "a/b": {} });
      expect(errors.map(({ path }) => path).toSorted()).toEqual([
        "/age",
        "/a~1b/~0",
        "/extra",
        "/name",
      ]);
    },
  );

  it("fails validation unless it is an object", async () => {
    for (const input of [null, [], "text", 1]) {
      expect((await checkInput({ type: "object" }, input)).errors).toHaveLength(1);
    }
  });

  it("is not checked against another schema with the same $id", async () => {
    const named = { $id: "https://example.com/a", ...objectOf({ type: "string" }) };
    expect((await checkInput(named, { a: "x" })).errors).toEqual([]);
    expect((await checkInput({ ...named, properties: {} }, { a: 1 })).errors).toEqual([]);
  });

  it.each<[string, JsonObject, unknown]>([
    ["a pattern that backtracks", objectOf({ pattern: "^(a+)+$" }), { a: "a".repeat(5_000) }],
    [
      "many values of a long list",
      objectOf({ items: { enum: many(10_000, String) } }),
      { a: many(100_000, (index) => String(index % 10_000)) },
    ],
    [
      "many distinct objects",
      objectOf({ uniqueItems: true }),
      { a: many(60_000, (index) => ({ index })) },
    ],
    [
      "a URL of half a megabyte",
      objectOf({ items: { format: "uri" } }),
      { a: [`http://${"a.".repeat(1_000)}`] },
    ],
  ])("is checked in linear time: %s", async (_, schema, input) => {
    expect((await checkInput(schema, input)).errors).toEqual([]);
  });

  it("is rejected when checking it exceeds the CPU time of a job", async () => {
    const { errors } = await checkInput(objectOf({ pattern: "^(?=a)(a+)+$" }), {
      a: `${"a".repeat(60)}b`,
    });
    expect(errors).toEqual([
      { path: "", message: expect.stringContaining("takes more than 1000 ms of CPU time") },
    ]);
    expect((await checkInput(padded(person), { name: "Ada", age: 36 })).errors).toEqual([]);
  });

  it("is rejected for a stored schema whose references multiply", async () => {
    const list = {
      anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }],
      type: "object",
    };
    const schema = {
      ...objectOf({ $ref: "#/$defs/a" }),
      $defs: { a: { properties: { a: list }, required: ["a"], type: "object" } },
    };
    const deep = (depth: number): JsonObject => (depth === 0 ? {} : { a: deep(depth - 1) });
    const { errors } = await checkInput(schema, { a: deep(40) });
    expect(errors).toEqual([{ path: "", message: expect.stringContaining("CPU time") }]);
  });

  it("is rejected with only the first error when large", async () => {
    const schema = objectOf({ items: { type: "string" } });
    expect((await checkInput(schema, { a: many(200, () => 1) })).errors).toHaveLength(100);
    expect((await checkInput(schema, { a: many(20_000, () => 1) })).errors).toHaveLength(100);
    expect((await checkInput(schema, { a: many(250_000, () => 1) })).errors).toHaveLength(1);
  });

  it("is rejected with twenty of many allowed values", async () => {
    const { errors } = await checkInput(objectOf({ enum: many(9_000, String) }), { a: "no" });
    expect(errors[0]?.message).toMatch(/^must be one of \["0",.*"19"\] or 8980 other values$/);
  });

  it.each([
    ["date", "31/01/2026", "must be a date, such as 2026-01-31"],
    ["date-time", "2026-01-31", "must be a date and time, such as 2026-01-31T12:00:00Z"],
    ["email", "ada", "must be an email address, such as ada@example.com"],
    ["uri", "example", "must be a URL, such as https://example.com/page"],
    ["uuid", "1", "must be a UUID, such as 123e4567-e89b-12d3-a456-426614174000"],
  ])("is rejected with an example of the format %s", async (format, value, message) => {
    const schema = objectOf({ type: "string", format });
    expect((await checkInput(schema, { a: value })).errors).toEqual([{ path: "/a", message }]);
    const example = / such as (.+)$/.exec(message)?.[1];
    expect((await checkInput(schema, { a: example })).errors).toEqual([]);
  });

  it("is rejected with the positions of equal items", async () => {
    const { errors } = await checkInput(objectOf({ uniqueItems: true }), {
      a: [1, { b: 1, c: 2 }, { c: 2, b: 1 }],
    });
    expect(errors).toEqual([
      { path: "/a", message: "must not have duplicate items (items 1 and 2 are identical)" },
    ]);
  });

  it.each([
    objectOf({ enum: ["a", 1, null, { b: [1], c: 2 }] }),
    padded(objectOf({ enum: ["a", 1, null, { c: 2, b: [1] }] })),
  ])("is accepted with any value of an enum", async (schema) => {
    for (const a of ["a", 1, null, { c: 2, b: [1] }])
      expect((await checkInput(schema, { a })).errors).toEqual([]);
    for (const a of ["1", "null", true, { b: [2], c: 2 }, { b: [1] }, []]) {
      expect((await checkInput(schema, { a })).errors).toHaveLength(1);
    }
  });

  it.each([true, false])("is redacted in this process and in workers", async (isSmall) => {
    const schema = objectOf({ type: "string", writeOnly: true });
    const checked = await checkInput(isSmall ? schema : padded(schema), { a: "s3cr3t", b: 1 });
    expect(checked.shown).toEqual({ a: "[redacted]", b: 1 });
    const wrong = await checkInput(isSmall ? schema : padded(schema), { a: 1, b: 1 });
    expect(wrong.shown).toEqual({ a: "[redacted]", b: 1 });
  });
});

describe("a validation process", () => {
  it("ends when it is idle, and another one starts for the next job", async () => {
    const short = createValidation({ ...settings, idleTimeoutMs: 200 });
    try {
      const schema = padded(person);
      expect(await short.checkDefinition("workspace", schema, [])).toEqual([]);
      expect(short.stats().processes).toBe(1);
      await expect.poll(() => short.stats().processes).toBe(0);
      expect(await short.checkDefinition("workspace", schema, [])).toEqual([]);
      expect(short.stats()).toMatchObject({ processes: 1, stopped: 0 });
    } finally {
      short.stop();
    }
  });
});

describe("CPU time of a workspace", () => {
  it("runs out for that workspace only", async () => {
    const limited = createValidation({ ...settings, jobCpuMs: 300, cpuMsPerMinute: 400 });
    try {
      const schema = prepareSchema(objectOf({ pattern: "^(?=a)(a+)+$" }));
      const hostile = { value: { a: `${"a".repeat(60)}b` }, text: "{}" };
      const slow = { ...hostile, text: JSON.stringify(hostile.value) };
      const ends = await Promise.allSettled(many(6, () => limited.checkInput("one", schema, slow)));
      const refused = ends.filter(({ status }) => status === "rejected");
      expect(refused.length).toBeGreaterThanOrEqual(3);
      expect(refused[0]).toMatchObject({ reason: { code: "rate_limited" } });
      const other = prepareSchema(padded(person));
      const fine = { value: { name: "Ada", age: 1 }, text: '{"name":"Ada","age":1}' };
      expect((await limited.checkInput("two", other, fine)).errors).toEqual([]);
    } finally {
      limited.stop();
    }
  });

  it("is required for small inputs and examples unless the schema is trivial", async () => {
    const limited = createValidation({ ...settings, jobCpuMs: 300, cpuMsPerMinute: 20 });
    try {
      const text = `[${"1,".repeat(2_000_000)}1]`;
      limited.parseJson("one", text, { values: 9_000_000, containers: 9 });
      const costly = objectOf({ items: { format: "uri" } });
      const input = { value: { a: [] }, text: '{"a":[]}' };
      const rateLimited = expect.objectContaining({ code: "rate_limited" }) as unknown;
      await expect(limited.checkInput("one", prepareSchema(costly), input)).rejects.toEqual(
        rateLimited,
      );
      await expect(limited.checkDefinition("one", costly, [input.value])).rejects.toEqual(
        rateLimited,
      );
      const trivial = prepareSchema(objectOf({ type: "array" }));
      expect((await limited.checkInput("one", trivial, input)).errors).toEqual([]);
      expect((await limited.checkInput("two", prepareSchema(costly), input)).errors).toEqual([]);
    } finally {
      limited.stop();
    }
  });
});
