import { Agent, request } from "node:http";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

/** A client of one server with keep-alive connections. */
export type HttpClient = {
  /** Sends a JSON body or none. Rejects only if there is no response. */
  send(
    method: "GET" | "POST" | "PATCH",
    path: string,
    headers: OutgoingHttpHeaders,
    body?: string,
  ): Promise<Answer>;
  close(): void;
};

/** Creates a client of a server on this machine. */
export function openClient(port: number): HttpClient {
  const agent = new Agent({ keepAlive: true });
  return {
    send: (method, path, headers, body) =>
      new Promise((resolve, reject) => {
        const type = body === undefined ? {} : jsonHeaders(body);
        const target = { agent, host: "127.0.0.1", port, method, path };
        const sent = request({ ...target, headers: { ...type, ...headers } }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.once("error", reject);
          response.once("end", () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          });
        });
        sent.once("error", reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

function jsonHeaders(body: string): OutgoingHttpHeaders {
  return { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
}
