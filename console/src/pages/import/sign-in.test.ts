import type { ImportItem } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { defaultSignIn, groupBySecurity, otherSignIn, signInBody, withSchemes } from "./sign-in.ts";

const schemes = [
  { name: "tls", kind: "unsupported" as const, description: "", credentialNames: [] },
  { name: "token", kind: "bearer" as const, description: "", credentialNames: ["A_TOKEN"] },
  { name: "login", kind: "basic" as const, description: "", credentialNames: ["A_USER", "A_PW"] },
];

const item = (key: string, security: string[][]) => ({ key, security }) as ImportItem;

describe("groupBySecurity", () => {
  it("keeps items with the same alternatives together", () => {
    const items = [item("a", [["token"]]), item("b", []), item("c", [["token"]])];
    expect(groupBySecurity(items).map((group) => group.items.map(({ key }) => key))).toEqual([
      ["a", "c"],
      ["b"],
    ]);
  });
});

describe("defaultSignIn", () => {
  it("is the first supported alternative, or none where that is allowed", () => {
    expect(defaultSignIn([["tls"], ["login"]], schemes)).toEqual({
      way: "schemes",
      names: ["login"],
      credentials: { login: ["A_USER", "A_PW"] },
    });
    expect(defaultSignIn([["token"], []], schemes)).toEqual({ way: "none" });
    expect(defaultSignIn([], schemes)).toEqual({ way: "none" });
  });
});

describe("signInBody", () => {
  it("names the credentials of the chosen alternative", () => {
    const chosen = withSchemes(["tls", "token"], schemes);
    expect(signInBody(chosen, [["token"]])).toEqual({ credentials: { token: ["A_TOKEN"] } });
  });

  it("says that nothing is sent only where the document requires something", () => {
    expect(signInBody({ way: "none" }, [])).toEqual({});
    expect(signInBody({ way: "none" }, [["token"]])).toEqual({ authentication: { kind: "none" } });
  });

  it("suggests names from the address of the API", () => {
    const url = "https://api.pets.example/v1";
    expect(signInBody(otherSignIn("bearer", url), [])).toEqual({
      authentication: { kind: "bearer", credential: "PETS_TOKEN" },
    });
    expect(signInBody(otherSignIn("header", "http://127.0.0.1:80"), [])).toEqual({
      authentication: { kind: "api_key", in: "header", name: "X-API-Key", credential: "API_KEY" },
    });
    expect(signInBody(otherSignIn("basic", url), [])).toMatchObject({
      authentication: { userCredential: "PETS_USER", passwordCredential: "PETS_PASSWORD" },
    });
  });
});
