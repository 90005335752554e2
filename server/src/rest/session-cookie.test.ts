import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sessionCookieOf } from "#core/identity";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let first: TestService;
let second: TestService;

beforeAll(async () => {
  [first, second] = await Promise.all([startTestService(), startTestService()]);
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
});

/** The cookies that a browser stores for a host: one of each name, on all its ports. */
type Jar = Map<string, string>;

async function visit({ baseUrl }: TestService, jar: Jar, path: string, body?: object) {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "content-type": "application/json",
      origin: baseUrl,
      cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  for (const line of response.headers.getSetCookie()) {
    const [pair = ""] = line.split(";", 1);
    const at = pair.indexOf("=");
    if (/max-age=0\b/i.test(line)) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return response;
}

describe("the session cookie", () => {
  it("keeps a browser signed in to two services on ports of one host", async () => {
    const jar: Jar = new Map();
    const statuses = async () =>
      Promise.all(
        [first, second].map(async (test) => (await visit(test, jar, "/api/v1/me")).status),
      );
    for (const test of [first, second]) {
      expect((await visit(test, jar, "/api/auth/sign-in/email", test.person)).status).toBe(200);
    }
    expect(await statuses()).toEqual([200, 200]);
    expect((await visit(second, jar, "/api/auth/sign-out", {})).status).toBe(200);
    expect(await statuses()).toEqual([200, 401]);
  });

  it("is refused for requests that expect another user", async () => {
    const { baseUrl, cookie } = first;
    const { body } = await first.callAsOwner("GET", "/me");
    const statuses = async (userId: string) => {
      const send = async (method: string, path: string) =>
        fetch(`${baseUrl}/api/v1${path}`, {
          method,
          headers: {
            cookie,
            origin: baseUrl,
            "x-user-id": userId,
            "idempotency-key": randomUUID(),
            "content-type": "application/json",
          },
          ...(method === "GET" ? {} : { body: JSON.stringify({ name: "Another" }) }),
        });
      const sent = [send("GET", "/me"), send("GET", "/workspaces"), send("POST", "/workspaces")];
      return (await Promise.all(sent)).map(({ status }) => status);
    };
    expect(await statuses(body.user.id)).toEqual([200, 200, 201]);
    expect(await statuses("01900000-0000-7000-8000-000000000000")).toEqual([401, 401, 401]);
  });

  it("has the name that the API description states", async () => {
    const jar: Jar = new Map();
    await visit(first, jar, "/api/auth/sign-in/email", first.person);
    const { body } = await first.call("GET", "/openapi.json");
    const { name } = body.components.securitySchemes.session;
    expect([...jar.keys()]).toContain(name);
    expect(name).toBe(sessionCookieOf(first.baseUrl));
  });

  it.each([
    ["https://tools.example", "__Secure-toolhost.session_token"],
    ["https://tools.example:8443", "__Secure-toolhost-8443.session_token"],
    ["http://localhost", "toolhost.session_token"],
    ["http://localhost:3000", "toolhost-3000.session_token"],
  ])("is named for %s", (baseUrl, name) => {
    expect(sessionCookieOf(baseUrl)).toBe(name);
  });
});
