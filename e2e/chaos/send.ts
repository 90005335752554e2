import { Agent, request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

/** A response, with its exact text. */
export type Reply = { status: number; headers: IncomingHttpHeaders; text: string };

type Message = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** How long to wait for the whole response. */
  timeoutMs: number;
};

/** Sends over keep-alive connections without automatic retries. Rejects if there is no complete response. */
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
    const timer = setTimeout(() => outgoing.destroy(new Error("response timed out")), timeoutMs);
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

/** Why there was no response: the system's error code, if any. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}
