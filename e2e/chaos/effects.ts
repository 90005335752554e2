import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A counter outside of the service: what tools did to the world, and not what the service says they did. */
export type Effects = {
  /** Where tools add to it, and the host that they declare and the operator opens for that. */
  readonly url: string;
  readonly declaredHost: string;
  readonly privateHost: string;
  /** How often each run's code came by. */
  counts(): ReadonlyMap<string, number>;
  close(): void;
};

/** Serves a counter on this machine: `POST /<run id>` adds one to that run's. */
export async function serveEffects(): Promise<Effects> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const runId = request.url?.slice(1) ?? "";
    // The tool's request is not repeated by anybody on the way, so each one is an effect.
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
