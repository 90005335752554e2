import { describe, expect, it } from "vitest";
import { startForScheme, startForServer } from "./credential-start.ts";

describe("startForServer", () => {
  it.each([
    ["https://mcp.example.com/mcp", { name: "MCP_EXAMPLE_TOKEN", hosts: "mcp.example.com" }],
    ["https://my-app.dev:8443/", { name: "MY_APP_TOKEN", hosts: "my-app.dev:8443" }],
    ["http://127.0.0.1:3000/mcp", { name: "SERVER_TOKEN", hosts: "http://127.0.0.1:3000" }],
    ["https://localhost/", { name: "SERVER_TOKEN", hosts: "localhost" }],
    ["not a URL", {}],
  ])("suggests a name and only the host of %s", (url, start) => {
    expect(startForServer(url)).toEqual(start);
  });
});

describe("startForScheme", () => {
  const target = { name: "PETS_TOKEN", host: "api.pets.example" };

  it("fills in a connection for OAuth 2", () => {
    const connection = {
      grantType: "authorization_code" as const,
      authorizationUrl: "https://login.pets.example/authorize",
      tokenUrl: "https://login.pets.example/token",
      scopes: ["read", "write"],
    };
    expect(startForScheme({ kind: "oauth2", connection }, target)).toEqual({
      name: "PETS_TOKEN",
      hosts: "api.pets.example",
      kind: "oauth2",
      grantType: "authorization_code",
      endpoints: "addresses",
      authorizationUrl: "https://login.pets.example/authorize",
      tokenUrl: "https://login.pets.example/token",
      scopes: "read write",
    });
  });

  it("uses the issuer of OpenID Connect", () => {
    const issuer = "https://login.pets.example";
    const connection = { grantType: "authorization_code" as const, issuer, scopes: [] };
    expect(startForScheme({ kind: "oauth2", connection }, target)).toMatchObject({
      endpoints: "issuer",
      issuer,
    });
  });

  it("suggests a value for other schemes", () => {
    expect(startForScheme({ kind: "api_key" }, target)).toEqual({
      name: "PETS_TOKEN",
      hosts: "api.pets.example",
    });
  });
});
