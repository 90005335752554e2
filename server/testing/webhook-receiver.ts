import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

/** A request that a receiver got. */
export type Received = {
  id: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  // Tests read payloads of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  event: any;
};

/** An HTTP server that receives webhooks. */
export type WebhookReceiver = {
  url: string;
  /** The address for `EGRESS_PRIVATE_HOSTS`. */
  host: string;
  received: Received[];
  /** Replaces the response, which is 204 by default. */
  respond: (request: Received, response: ServerResponse) => void;
  /** Waits until `count` requests arrived. */
  wait(count: number, timeoutMs?: number): Promise<Received[]>;
  close(): Promise<void>;
};

/** The event, once its signature is verified by the library that receivers use. Throws if it is not valid. */
export function verifyWebhook(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const { headers, url: path = "" } = request;
    const id = String(headers["webhook-id"]);
    const one = { id, path, headers, body, event: JSON.parse(body) };
    receiver.received.push(one);
    receiver.respond(one, response);
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: WebhookReceiver = {
    url: `http://${host}/hook`,
    host,
    received: [],
    respond: (_request, response) => void response.writeHead(204).end(),
    wait: async (count, timeoutMs = 15_000) => {
      for (const until = Date.now() + timeoutMs; receiver.received.length < count;) {
        if (Date.now() > until) {
          throw new Error(`Received ${receiver.received.length} of ${count} webhooks`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return receiver.received;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
