import { timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import { sha256 } from "#lib/hash";
import { createNetworks } from "#lib/networks";
import { newId } from "#lib/ids";
import { toProblemResponse } from "#rest";
import type { Metrics } from "#metrics";

const isLoopback = createNetworks(["127.0.0.0/8", "::1"]);
const localNames = new Set(["localhost", "[::1]"]);

/**
 * Headers that reverse proxies and CDNs add. One is enough to detect a proxy, because not every proxy sends the same
 * ones.
 */
const proxyHeader =
  /^(?:forwarded|via|true-client-ip|x-(?:real|client|cluster-client)-ip|x-(?:forwarded|envoy|amzn|amz-cf|original|azure)(?:-.*)?|(?:cf|cdn|fastly|fly)-.*)$/;

/** Whether programs on this machine may read `/metrics` on the main port without a token. */
export function areMetricsOpen(config: Config): boolean {
  const { METRICS_TOKEN, METRICS_PORT, isLoopback: listensLocally, baseUrl, mcpUrl } = config;
  if (METRICS_TOKEN !== undefined || METRICS_PORT !== undefined || !listensLocally) return false;
  // A public base URL means that a proxy on this machine forwards requests.
  return [baseUrl, mcpUrl].every((url) => isLocalHost(new URL(url).host));
}

/**
 * Checks that a request may read metrics. Throws `unauthenticated` without the token. Throws `not_found` if metrics have
 * another port, or if nothing is configured and the request is not from a program on this machine.
 */
export function checkMetricsAccess(config: Config, request: IncomingMessage): void {
  const { METRICS_TOKEN: token } = config;
  if (token !== undefined) return checkToken(token, request);
  if (areMetricsOpen(config) && isDirect(request)) return;
  throw new ServiceError("not_found", "No endpoint exists at this path.");
}

/** Serves metrics on a separate port if one is configured, protected by the token if one is set. */
export async function listenForMetrics(
  config: Config,
  metrics: Metrics,
): Promise<{ port: number; stop(): void } | undefined> {
  if (config.METRICS_PORT === undefined) return undefined;
  const server = createServer((request, response) => {
    answer(config, metrics, request)
      .then(async (result) => {
        response.writeHead(result.status, Object.fromEntries(result.headers));
        response.end(await result.text());
      })
      .catch(() => response.destroy());
  });
  server.maxConnections = 50;
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.METRICS_PORT, config.METRICS_HOST, resolve);
  });
  return { port: portOf(server), stop: () => stop(server) };
}

async function answer(
  { METRICS_TOKEN: token }: Config,
  metrics: Metrics,
  request: IncomingMessage,
): Promise<Response> {
  try {
    if (request.method !== "GET" || request.url?.split("?")[0] !== "/metrics") {
      throw new ServiceError("not_found", "This port serves only GET /metrics.");
    }
    if (token !== undefined) checkToken(token, request);
    const { contentType, text } = await metrics.render();
    return new Response(text, { headers: { "content-type": contentType } });
  } catch (error) {
    const refusal =
      error instanceof ServiceError
        ? error
        : new ServiceError("unavailable", "The metrics are unavailable. Retry shortly.", {
            retryAfterSeconds: 5,
          });
    return toProblemResponse(refusal, newId());
  }
}

function checkToken(token: string, { headers }: IncomingMessage): void {
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  // Hashes have equal length, and comparing them in constant time reveals nothing about the token.
  if (timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)))) return;
  throw new ServiceError(
    "unauthenticated",
    "Send the value of METRICS_TOKEN as: Authorization: Bearer <METRICS_TOKEN>.",
  );
}

/** Whether the request is from a program on this machine and was not forwarded by a proxy. */
function isDirect({ headers, httpVersion, socket }: IncomingMessage): boolean {
  if (!isLoopback(socket.remoteAddress ?? "")) return false;
  // Node lowercases header names.
  if (Object.keys(headers).some((name) => proxyHeader.test(name))) return false;
  // Some proxies add no header but speak HTTP/1.0, which no collector does.
  return httpVersion !== "1.0" && isLocalHost(headers.host ?? "");
}

/** Whether a host, with or without a port, is a name of this machine. */
function isLocalHost(host: string): boolean {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return localNames.has(name) || isLoopback(name);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function stop(server: Server): void {
  server.close();
  server.closeAllConnections();
}
