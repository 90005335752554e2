import { describe, expect, it } from "vitest";
import { startForScheme, startForServer } from "./credential-start.ts";

describe("startForServer", () => {
  it("suggests a sign-in at the server, and only its host", () => {
    const resource = "https://mcp.example.com:8443/mcp";
    expect(startForServer(resource)).toEqual({
      kind: "server",
      resource,
      name: "EXAMPLE",
      hosts: "mcp.example.com:8443",
    });
    expect(startForServer("not a URL")).toEqual({});
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

  it("fills in only the scopes that the chosen operations need", () => {
    const connection = { grantType: "authorization_code" as const, scopes: ["all"] };
    const scopes = ["read", "custom"];
    expect(startForScheme({ kind: "oauth2", connection }, { ...target, scopes })).toMatchObject({
      scopes: "read custom",
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
