import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An external counter of what tools did, independent of what the service records. */
export type Effects = {
  /** The counter's URL, and its host, which tools declare and the operator allows. */
  readonly url: string;
  readonly declaredHost: string;
  readonly privateHost: string;
  /** How often the code of each run called the counter. */
  counts(): ReadonlyMap<string, number>;
  close(): void;
};

/** Serves a counter on this machine: `POST /<run id>` adds one to that run's. */
export async function serveEffects(): Promise<Effects> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const runId = request.url?.slice(1) ?? "";
    // Nothing between tool and counter retries requests, so each request is an effect.
    if (request.method === "POST") counts.set(runId, (counts.get(runId) ?? 0) + 1);
    request.resume();
    response.end("counted");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    declaredHost: `http://127.0.0.1:${port}`,
    privateHost: `127.0.0.1:${port}`,
    counts: () => counts,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
