import { describe, expect, it } from "vitest";
import { parseBearerChallenge, validScopes } from "./bearer-challenge.ts";

const none = { error: undefined, scopes: [], resourceMetadata: undefined };

describe("parseBearerChallenge", () => {
  it.each<[string, object | undefined]>([
    ["Bearer", none],
    ["bearer realm=x", none],
    ['Bearer error="invalid_token"', { ...none, error: "invalid_token" }],
    ["Bearer scope=a , ERROR = b", { ...none, scopes: ["a"], error: "b" }],
    [
      'Bearer resource_metadata="https://a.example/x?y=1,2", scope="a b  a"',
      { ...none, scopes: ["a", "b"], resourceMetadata: "https://a.example/x?y=1,2" },
    ],
    [
      'Basic realm="Bearer scope=evil, x", Bearer scope="a", Digest scope="c"',
      { ...none, scopes: ["a"] },
    ],
    ['Basic realm="a, Bearer scope=evil"', undefined],
    [String.raw`Bearer realm="a \" scope=\"evil", scope="a"`, { ...none, scopes: ["a"] }],
    ['Bearer scope="a\u0007 b"', { ...none, scopes: ["b"] }],
    ['Bearer scope="unfinished', none],
    ["Basic abc==", undefined],
    ["BearerX scope=a", undefined],
    ["", undefined],
  ])("parses %s", (header, parsed) => {
    expect(parseBearerChallenge(header)).toEqual(parsed);
  });

  it("takes no time for hostile headers", () => {
    const startedAt = performance.now();
    for (const part of ['a="\\', "a=b,", ",", " ", 'a="', "Bearer ", "\\", '"']) {
      parseBearerChallenge(`Bearer ${part.repeat(100_000)}`);
      parseBearerChallenge(part.repeat(100_000));
    }
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe("validScopes", () => {
  it("returns at most 100 different scopes, and nothing else", () => {
    expect(validScopes(["a", "a", "b c", "", 7, null, 'x"', "x".repeat(201)])).toEqual(["a"]);
    expect(validScopes("a")).toEqual([]);
    expect(validScopes(Array.from({ length: 500 }, (_, at) => `s${at}`))).toHaveLength(100);
  });
});
