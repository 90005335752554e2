import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

/** A TCP proxy that makes a server seem far away. */
export type SlowProxy = {
  port: number;
  /** Time that a request and its response take longer, from now on. */
  roundTripMs: number;
  /** Connections that are open, and the most that were since the last reset. */
  connections: { open: number; max: number };
  /** Breaks all connections. */
  cut(): void;
  close(): Promise<void>;
};

/** Starts a proxy for a server on this machine. Each direction delays data by half of the round trip, and keeps its order. */
export async function startSlowProxy(target: {
  host: string;
  port: number;
  roundTripMs?: number;
}): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const proxy = {
    port: 0,
    roundTripMs: target.roundTripMs ?? 0,
    connections: { open: 0, max: 0 },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        proxy.cut();
      }),
  };
  const forward = (from: Socket, to: Socket) => {
    // Each waits for the one before it, since the round trip may change in between.
    let last = Promise.resolve();
    const later = (send: () => void) => {
      const sentAt = performance.now() + proxy.roundTripMs / 2;
      last = last.then(async () => {
        const leftMs = sentAt - performance.now();
        if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
        send();
      });
    };
    from.on("data", (chunk: Buffer) => later(() => to.write(chunk)));
    from.on("end", () => later(() => to.end()));
    from.on("close", () => later(() => to.destroy()));
    from.on("error", () => undefined);
  };
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    const { connections } = proxy;
    connections.open += 1;
    connections.max = Math.max(connections.max, connections.open);
    client.on("close", () => (connections.open -= 1));
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
    forward(client, upstream);
    forward(upstream, client);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  proxy.port = typeof address === "object" && address !== null ? address.port : 0;
  return proxy;
}
