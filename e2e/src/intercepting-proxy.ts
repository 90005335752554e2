import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type Hooks = {
  /** Called before a request is passed on. */
  before?: (request: IncomingMessage) => Promise<void> | void;
  /** Called after the service has responded, before the response is passed on. */
  after?: (request: IncomingMessage) => Promise<void> | void;
};

/** A proxy in front of a service that acts at exact moments of a request. */
export async function startProxy(target: string, { before, after }: Hooks, port = 0) {
  const { hostname, port: targetPort } = new URL(target);
  const proxy = createServer((incoming, outgoing) => {
    const pass = async () => {
      await before?.(incoming);
      const { method, url, headers } = incoming;
      const upstream = send({ hostname, port: targetPort, method, path: url, headers });
      incoming.pipe(upstream);
      const [response] = (await once(upstream, "response")) as [IncomingMessage];
      const body = Buffer.concat(await response.toArray());
      await after?.(incoming);
      outgoing.writeHead(response.statusCode ?? 500, response.headers).end(body);
    };
    pass().catch(() => outgoing.destroy());
  });
  proxy.listen(port, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
