import { describe, expect, it } from "vitest";
import { defaultChoice, isDefaultChoice, resolveServer } from "./server-url.ts";

const region = {
  name: "region",
  default: "eu",
  choices: ["eu", "us"],
  description: "",
};
const servers = [
  { url: "https://{region}.example.com/v1", description: "", variables: [region] },
  { url: "/v2", description: "", variables: [] },
];
const shown = { servers, url: "https://docs.example.com/openapi.json" };

describe("resolveServer", () => {
  it("fills in the variables of a server", () => {
    const variables = { region: "us" };
    expect(resolveServer(shown, { index: 0, variables: {} })).toBe("https://eu.example.com/v1");
    expect(resolveServer(shown, { index: 0, variables })).toBe("https://us.example.com/v1");
  });

  it("resolves a relative server against the URL of the document", () => {
    const choice = { index: 1, variables: {} };
    expect(resolveServer(shown, choice)).toBe("https://docs.example.com/v2");
    expect(resolveServer({ servers, url: null }, choice)).toBeUndefined();
  });

  it.each(["", "api.example.com", "file:///etc/passwd", "javascript:alert(1)"])(
    "accepts only web URLs, not %j",
    (other) => {
      expect(resolveServer(shown, { other })).toBeUndefined();
    },
  );

  it("returns nothing for a server with an unknown variable", () => {
    const odd = [{ url: "https://{host}/", description: "", variables: [] }];
    expect(resolveServer({ servers: odd, url: null }, { index: 0, variables: {} })).toBeUndefined();
  });
});

describe("defaultChoice", () => {
  it("is the first server, or one to enter", () => {
    expect(isDefaultChoice(defaultChoice(shown))).toBe(true);
    expect(defaultChoice({ servers: [] })).toEqual({ other: "" });
    expect(isDefaultChoice({ index: 0, variables: { region: "us" } })).toBe(false);
  });
});
