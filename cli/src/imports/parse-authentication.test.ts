import { describe, expect, it } from "vitest";
import { parseSignIn } from "./parse-authentication.ts";

const document = { kind: "openapi" as const, securitySchemes: [] };

describe("parseSignIn", () => {
  it.each([
    ["none", [], { kind: "none" }],
    ["bearer", ["A"], { kind: "bearer", credential: "A" }],
    ["basic", ["A,B"], { kind: "basic", userCredential: "A", passwordCredential: "B" }],
    ["basic", ["A", "B"], { kind: "basic", userCredential: "A", passwordCredential: "B" }],
    ["header:X-Key", ["A"], { kind: "api_key", in: "header", name: "X-Key", credential: "A" }],
    ["query:a:b", ["A"], { kind: "api_key", in: "query", name: "a:b", credential: "A" }],
  ])("reads --auth %s with %j", (auth, credential, authentication) => {
    const read = parseSignIn(document, { auth, credential });
    expect(read).toEqual({ credentials: {}, authentication });
  });

  it.each([
    ["bearer", []],
    ["bearer", ["A,B"]],
    ["bearer:x", ["A"]],
    ["basic", ["A"]],
    ["none", ["A"]],
    ["header", ["A"]],
    ["header:", ["A"]],
    ["oauth", ["A"]],
  ])("rejects --auth %s with %j", (auth, credential) => {
    expect(() => parseSignIn(document, { auth, credential })).toThrow(/--auth|Use none/);
  });

  it("asks for --auth where the document declares no security schemes", () => {
    expect(() => parseSignIn(document, { credential: ["A"] })).toThrow("--auth");
    expect(parseSignIn(document, {})).toEqual({ credentials: {} });
  });

  it("rejects --auth for an MCP server", () => {
    const server = { kind: "mcp" as const, securitySchemes: [] };
    expect(() => parseSignIn(server, { auth: "none" })).toThrow("--credential NAME");
  });
});
