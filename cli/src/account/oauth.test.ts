import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startLoopback } from "./loopback.ts";
import { discover, refreshTokens } from "./oauth.ts";

let service: Server;
let address: string;
let metadata: Record<string, unknown>;
let onToken: (count: number) => Record<string, unknown> | undefined;

beforeEach(async () => {
  let count = 0;
  service = createServer((request, response) => {
    const body =
      request.url === "/token"
        ? onToken((count += 1))
        : request.url?.includes("protected-resource") === true
          ? { resource: `${address}/api/v1`, authorization_servers: [address] }
          : { issuer: address, ...metadata };
    if (body === undefined) request.socket.destroy();
    else response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void service.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  metadata = {
    authorization_endpoint: `${address}/authorize`,
    token_endpoint: `${address}/token`,
    registration_endpoint: `${address}/register`,
  };
});
afterEach(() => void service.close());

describe("discover", () => {
  it("accepts an endpoint in plain text only if the user does", async () => {
    metadata["token_endpoint"] = "http://tools.example.com/token";
    await expect(discover(address, { isInsecure: false })).rejects.toThrow("not secure");
    const found = await discover(address, { isInsecure: true });
    expect(found.tokenEndpoint).toBe("http://tools.example.com/token");
  });

  it("quotes the name of the service in the command that it suggests", async () => {
    const named = address;
    address = "https://evil.example/$(touch x)'";
    await expect(discover(named, { isInsecure: false })).rejects.toMatchObject({
      next: [`toolhost login --url 'https://evil.example/$(touch x)'\\'''`],
    });
  });

  it("knows whether redirects name the issuer", async () => {
    expect(await discover(address, { isInsecure: false })).toMatchObject({ namesIssuer: false });
    metadata["authorization_response_iss_parameter_supported"] = true;
    expect(await discover(address, { isInsecure: false })).toMatchObject({ namesIssuer: true });
  });
});

describe("the redirect of a sign-in", () => {
  const receive = async (answer: Record<string, string>, namesIssuer: boolean) => {
    const loopback = await startLoopback(5_000);
    try {
      const received = loopback.receive({ state: "s", issuer: "https://a.example", namesIssuer });
      received.catch(() => undefined);
      await fetch(
        `${loopback.redirectUri}?${String(new URLSearchParams({ state: "s", code: "c", ...answer }))}`,
      );
      return await received;
    } finally {
      loopback.close();
    }
  };

  it("is rejected without an issuer if the service always names it", async () => {
    await expect(receive({}, true)).rejects.toThrow("another service");
    await expect(receive({ iss: "https://b.example" }, true)).rejects.toThrow("another service");
    expect(await receive({ iss: "https://a.example" }, true)).toBe("c");
  });

  it("is rejected in any case if it names another issuer", async () => {
    await expect(receive({ iss: "https://b.example" }, false)).rejects.toThrow("another service");
    expect(await receive({}, false)).toBe("c");
  });
});

describe("refreshTokens", () => {
  it("repeats a request whose response was lost", async () => {
    onToken = (count) => (count === 1 ? undefined : { access_token: `token ${count}` });
    const account = {
      clientId: "c",
      accessToken: "a",
      refreshToken: "r",
      expiresAt: 1,
      tokenEndpoint: `${address}/token`,
      revocationEndpoint: undefined,
      resource: `${address}/api/v1`,
    };
    expect(await refreshTokens(account)).toMatchObject({
      accessToken: "token 2",
      refreshToken: "r",
    });
  });
});
