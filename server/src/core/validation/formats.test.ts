import { fullFormats } from "ajv-formats/dist/formats.js";
import { describe, expect, it } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { metered, TooCostlyError } from "./meter.ts";
import { checkHere, prepareSchema } from "./prepare-schema.ts";

const accepts = (format: string, text: string): boolean =>
  compileSchema(
    { type: "object", properties: { a: { format } } },
    { allErrors: true, isCounted: false },
  )({
    a: text,
  });
/** The expression that the linear check replaces. */
const original = fullFormats.url as RegExp;

describe("format url", () => {
  it.each([
    "http://example.com",
    "https://user:pass@example.com:8080/path?x=@y#z",
    "ftp://a@b@example.com",
    "http://a/b@example.com/c",
    "http://@example.com",
    "http://@@example.com",
    "http://:@example.com",
    "http://example.com@",
    "http://8.8.8.8/a@b",
    "http://10.0.0.1",
    "http://x@127.0.0.1",
    "http://192.168.1.1.example.com",
    "http://example",
    "http://example.c",
    "http://a-.example.com",
    "http://a--b.example.com",
    "http://münchen.example",
    "HTTP://EXAMPLE.COM",
    "http://example.com:1",
    "http://example.com:123456",
    "http://example.com?query",
    "http://example.com/a b",
    "http://a b@example.com",
    "http://example.com\n",
    "gopher://example.com",
    "http:///example.com",
    "http://",
    "",
  ])("agrees with the expression of ajv-formats on %j", (text) => {
    expect(accepts("url", text)).toBe(original.test(text));
  });

  it("exceeds the meter for many long URLs", () => {
    const schema = {
      type: "object",
      properties: { a: { items: { not: { type: "string", format: "url" } } } },
    };
    const a = Array.from({ length: 150 }, () => `http://${":".repeat(4_080)}`);
    expect(checkHere(prepareSchema(schema), { a }, 614_000)).toBeUndefined();
  });
});

describe("the meter", () => {
  it.each(
    Object.keys(fullFormats).filter(
      (name) => !["int32", "int64", "float", "double", "password", "binary"].includes(name),
    ),
  )("charges for format %s, or rejects the length immediately", (format) => {
    const schema = {
      type: "object",
      properties: { a: { items: { not: { type: "string", format } } } },
    };
    const validate = compileSchema(schema, { allErrors: true, isCounted: false });
    const check = (length: number) =>
      metered(2_000, () =>
        validate({ a: Array.from({ length: 2_000 }, () => "x".repeat(length)) }),
      );
    expect(() => check(32)).toThrow(TooCostlyError);
  });

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      "required names of many items",
      { items: { required: Array.from({ length: 2_000 }, (_, index) => `${index}`) } },
      Array.from({ length: 2_700 }, () => ({})),
    ],
    [
      "a constant that many alternatives compare",
      {
        allOf: Array.from({ length: 100 }, () => ({ $ref: "#/$defs/a" })),
        $defs: { a: { const: [[[Array.from({ length: 3_000 }, () => 1)]]] } },
      },
      [[[Array.from({ length: 3_000 }, () => 1)]]],
    ],
  ])("stops %s even for a short input", (_, part, a) => {
    const { $defs, ...rest } = part;
    const schema = prepareSchema({
      type: "object",
      properties: { a: rest as never },
      $defs: ($defs ?? {}) as never,
    });
    const checked = checkHere(schema, { a }, JSON.stringify({ a }).length);
    expect(JSON.stringify({ a }).length).toBeLessThan(8 * 1024 + 20);
    expect(checked).toBeUndefined();
  });
});
