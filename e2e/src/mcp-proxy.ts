import { createServer, request } from "node:http";
import type { Server } from "node:http";

/** A proxy that adds a token to each request, for clients without authentication. */
export type TokenProxy = { url: string; close(): void };

/** Starts a proxy to a URL. */
export async function startTokenProxy(target: string, token: string): Promise<TokenProxy> {
  const { hostname, port } = new URL(target);
  const server: Server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const authorization = `Bearer ${token}`;
    const passed = request(
      { hostname, port, method, path, headers: { ...headers, authorization } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const listening = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://localhost:${listening}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
