import { describe, expect, it } from "vitest";
import {
  createInput,
  emptyForm,
  nameForServer,
  replaceInput,
  withServer,
} from "./credential-form.ts";

describe("createInput", () => {
  it("parses hosts with any separator", () => {
    const form = {
      ...emptyForm,
      name: " KEY ",
      value: " secret ",
      hosts: "A.example, https://b.example/v1?x=1\na.example http://10.0.0.5:8080",
    };
    expect(createInput(form)).toEqual({
      name: "KEY",
      owner: "user",
      value: " secret ",
      hosts: ["a.example", "b.example", "http://10.0.0.5:8080"],
    });
  });

  it("leaves out empty fields and those of the endpoints not chosen", () => {
    const form = {
      ...emptyForm,
      name: "TOKEN",
      kind: "oauth2" as const,
      value: "typed before",
      hosts: "api.example",
      issuer: "https://issuer.example",
      tokenUrl: "https://typed.example/token",
      revocationUrl: "https://typed.example/revoke",
      clientId: "client",
      scopes: "read write",
      parameters: "access_type=offline\nprompt = consent\n\n",
    };
    expect(createInput(form)).toEqual({
      name: "TOKEN",
      owner: "user",
      hosts: ["api.example"],
      oauth2: {
        grantType: "authorization_code",
        clientId: "client",
        issuer: "https://issuer.example",
        scopes: ["read", "write"],
        authorizationParameters: { access_type: "offline", prompt: "consent" },
      },
    });
  });

  it("sends URLs without an issuer, and no consent settings for client credentials", () => {
    const form = {
      ...emptyForm,
      kind: "oauth2" as const,
      grantType: "client_credentials" as const,
      endpoints: "addresses" as const,
      issuer: "https://typed.example",
      authorizationUrl: "https://typed.example/authorize",
      tokenUrl: "https://a.example/token",
      clientSecret: "secret",
      authMethod: "client_secret_post" as const,
      parameters: "prompt=consent",
    };
    expect(createInput(form)).toMatchObject({
      oauth2: {
        grantType: "client_credentials",
        clientId: "",
        tokenUrl: "https://a.example/token",
        clientSecret: "secret",
        tokenEndpointAuthMethod: "client_secret_post",
        scopes: [],
        authorizationParameters: {},
      },
    });
    expect(JSON.stringify(createInput(form))).not.toContain("typed");
  });
});

describe("a server's URL", () => {
  it("is all that is sent", () => {
    const form = {
      ...emptyForm,
      name: "NOTES",
      kind: "server" as const,
      value: "typed before",
      hosts: "typed.example",
      issuer: "https://typed.example",
      resource: " https://mcp.notes.example/mcp ",
    };
    expect(createInput(form)).toEqual({
      name: "NOTES",
      owner: "user",
      oauth2: { resource: "https://mcp.notes.example/mcp", scopes: [] },
    });
  });

  it.each([
    ["https://mcp.linear.app/mcp", "LINEAR"],
    ["https://api.my-notes.example.co/x", "MY_NOTES_EXAMPLE"],
    ["http://localhost:3000/mcp", "MCP_SERVER"],
    ["http://127.0.0.1:3000/mcp", "MCP_SERVER"],
    ["https://[2001:db8::1]/mcp", "MCP_SERVER"],
    ["https://1password.com", "MCP_SERVER"],
    ["https://", ""],
  ])("suggests a name for %s", (url, name) => {
    expect(nameForServer(url)).toBe(name);
  });

  it("changes only a name that it suggested", () => {
    const first = { ...emptyForm, ...withServer(emptyForm, "https://mcp.one.example") };
    expect(withServer(first, "https://mcp.two.example").name).toBe("TWO");
    expect(withServer({ ...first, name: "MINE" }, "https://two.example").name).toBeUndefined();
  });
});

describe("replaceInput", () => {
  it("leaves out the name", () => {
    const form = { ...emptyForm, name: "KEY", value: "next", hosts: "a.example" };
    expect(replaceInput(form)).toEqual({
      value: "next",
      hosts: ["a.example"],
      exposable: false,
    });
  });
});
