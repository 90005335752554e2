import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeTraces } from "./otlp-traces.ts";
import type { CollectedSpan } from "./otlp-traces.ts";

/** A collector that accepts OTLP traces over HTTP and decodes them. */
export type OtlpCollector = {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  endpoint: string;
  spans: CollectedSpan[];
  /** The bodies of all requests. */
  bodies: Buffer[];
  headers: IncomingHttpHeaders[];
  /** How it responds: with this status, or never. */
  behavior: { status: number | "never" };
  /** Waits for a span that matches. */
  find(isIt: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  /** The spans of a trace once they include one of each name. */
  trace(traceId: string, names: readonly string[]): Promise<CollectedSpan[]>;
  close(): Promise<void>;
};

const waitMs = 20_000;

export async function startCollector(port = 0): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const behavior: OtlpCollector["behavior"] = { status: 200 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      bodies.push(body);
      headers.push(request.headers);
      if (behavior.status === "never") return;
      const isTraces = request.method === "POST" && request.url === "/v1/traces";
      const status = isTraces ? behavior.status : 404;
      if (status === 200) spans.push(...decodeTraces(body));
      response.writeHead(status, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const until = async <T>(look: () => T | undefined): Promise<T> => {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (performance.now() > deadline) {
        throw new Error(`Not collected. Spans: ${spans.map(({ name }) => name).join(", ")}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    behavior,
    find: (isIt) => until(() => spans.find(isIt)),
    trace: (traceId, names) =>
      until(() => {
        const found = spans.filter((span) => span.traceId === traceId);
        return names.every((name) => found.some((span) => span.name === name)) ? found : undefined;
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
