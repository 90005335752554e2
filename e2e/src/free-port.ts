import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** A port that no program listens on at this moment, for one that cannot choose a port itself. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
