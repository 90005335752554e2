import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenForSignals } from "./postgres-signals.ts";

const url = process.env["TEST_DATABASE_URL"];

describe.skipIf(url === undefined || process.env["TEST_DIALECT"] !== "postgres")(
  "a listener for signals",
  () => {
    const sockets: Socket[] = [];
    const server = createServer((near) => {
      const { hostname, port } = new URL(url ?? "");
      const far = connect({ host: hostname, port: Number(port || 5432) });
      for (const socket of [near, far]) socket.on("error", () => undefined);
      near.pipe(far).pipe(near);
      sockets.push(near, far);
    });
    beforeAll(async () => {
      await new Promise<void>((resolve) => {
        server.listen(0, "127.0.0.1", resolve);
      });
    });
    afterAll(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });

    it("closes although the server has stopped responding", async () => {
      const through = new URL(url ?? "");
      through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { promise: connected, resolve } = Promise.withResolvers<void>();
      const signals = listenForSignals({
        url: through.href,
        onMessage: () => undefined,
        onConnect: resolve,
        onError: () => undefined,
      });
      await connected;
      for (const socket of sockets) socket.unpipe().pause();
      const startedAt = performance.now();
      await signals.close();
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    });
  },
);
