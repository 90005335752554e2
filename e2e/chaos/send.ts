import { Agent, request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

/** An answer, byte for byte as text. */
export type Reply = { status: number; headers: IncomingHttpHeaders; text: string };

type Message = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** How long to wait for the whole answer. */
  timeoutMs: number;
};

/** Sends over connections that are kept, and never again by itself. Rejects when no whole answer comes. */
export type Send = (baseUrl: string, message: Message) => Promise<Reply>;

export function createSend(): { send: Send; close: () => void } {
  const agent = new Agent({ keepAlive: true });
  return {
    send: (baseUrl, message) => sendBy(agent, baseUrl, message),
    close: () => agent.destroy(),
  };
}

function sendBy(agent: Agent, baseUrl: string, message: Message): Promise<Reply> {
  const { method, path, headers, body, timeoutMs } = message;
  return new Promise((resolve, reject) => {
    const outgoing = request(`${baseUrl}${path}`, {
      agent,
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
      },
    });
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => outgoing.destroy(new Error("no answer in time")), timeoutMs);
    outgoing.once("error", fail);
    outgoing.once("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("error", fail);
      incoming.once("end", () => {
        clearTimeout(timer);
        const text = Buffer.concat(chunks).toString();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.end(body);
  });
}

/** Why no answer came, in a word: the system's code where there is one. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}
