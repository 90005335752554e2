import { timingSafeEqual } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { oauthError } from "./oauth.ts";

const path = "/callback";

/** A web server on this machine that receives the redirect of a sign-in (RFC 8252, section 7.3). */
export type Loopback = {
  redirectUri: string;
  /** The code of the redirect that has this state. Others are ignored. */
  receive(expected: { state: string; issuer: string; namesIssuer: boolean }): Promise<string>;
  close(): void;
};

export async function startLoopback(timeoutMs: number): Promise<Loopback> {
  // Node.js 20 has no `Promise.withResolvers`.
  const events = new EventEmitter<{ answer: [URLSearchParams] }>();
  let expectedState = "";
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const isOurs =
      request.method === "GET" &&
      url.pathname === path &&
      isSame(url.searchParams.get("state") ?? "", expectedState);
    response
      .writeHead(isOurs ? 200 : 404, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'",
        "referrer-policy": "no-referrer",
        connection: "close",
      })
      .end(
        isOurs
          ? "<!doctype html><title>Toolhost</title><p>You can close this window and return to the terminal."
          : "<!doctype html><title>Toolhost</title><p>Not found.",
      );
    if (isOurs) events.emit("answer", url.searchParams);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}${path}`,
    receive: async ({ state, issuer, namesIssuer }) => {
      expectedState = state;
      const signal = AbortSignal.timeout(timeoutMs);
      const answered = once(events, "answer", { signal }) as Promise<[URLSearchParams]>;
      const [answer] = await answered.catch(() => {
        throw oauthError("The sign-in was not completed within the time limit.");
      });
      const iss = answer.get("iss");
      // Another service, which the user also signs in to, could otherwise pass its code off as one of this service (RFC 9207).
      if (iss === null ? namesIssuer : iss !== issuer)
        throw oauthError("The sign-in came from another service.");
      const code = answer.get("code");
      if (code !== null) return code;
      const reason = answer.get("error_description") ?? answer.get("error") ?? "no reason given";
      throw oauthError(`You were not signed in: ${reason}`);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return b !== "" && left.length === right.length && timingSafeEqual(left, right);
}
