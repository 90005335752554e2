import type { ImportResource } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { parseCredentials } from "./parse-credentials.ts";

const scheme = (name: string): ImportResource["securitySchemes"][number] => ({
  name,
  kind: "bearer",
  description: "",
  credentialNames: ["TOKEN"],
});
const one = { securitySchemes: [scheme("token")] };
const two = { securitySchemes: [scheme("token"), scheme("odd=name")] };

describe("parseCredentials", () => {
  it("reads names by scheme, also of one with an equals sign", () => {
    expect(parseCredentials(two, ["token=A_TOKEN", "odd=name=USER,PASSWORD"])).toEqual({
      token: ["A_TOKEN"],
      "odd=name": ["USER", "PASSWORD"],
    });
  });

  it("accepts a name alone when there is one scheme", () => {
    expect(parseCredentials(one, ["A_TOKEN"])).toEqual({ token: ["A_TOKEN"] });
    expect(() => parseCredentials(two, ["A_TOKEN"])).toThrow("names no security scheme");
  });

  it.each(["other=A_TOKEN", "token=", "token=A,B,C"])("rejects %s", (text) => {
    expect(() => parseCredentials(two, [text])).toThrow(/names no security scheme|does not name/);
  });
});
