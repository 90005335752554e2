type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

type Input = {
  url: string;
  method?: Method;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  json?: unknown;
  body?: string;
  timeoutSeconds?: number;
};

type Output = {
  status: number;
  isOk: boolean;
  url: string;
  headers: Record<string, string>;
  body: string;
  encoding: "text" | "base64";
  json?: unknown;
  isCut: boolean;
};

const maxBytes = 1024 * 1024;

/**
 * Sends one request to a host that this tool declares. A response with status 404 or 500 is a result, not a failure: the
 * caller decides what it means.
 */
export default async function httpRequest(input: Input, ctx: ToolContext): Promise<Output> {
  const response = await send(input, ctx.signal);
  const { bytes, isCut } = await readAtMost(response, maxBytes);
  const type = response.headers.get("content-type") ?? "";
  const text = toText(bytes, type);
  return {
    status: response.status,
    isOk: response.ok,
    // The URL after redirects.
    url: response.url,
    headers: Object.fromEntries(response.headers),
    body: text ?? toBase64(bytes),
    encoding: text === undefined ? "base64" : "text",
    ...(text === undefined || isCut ? {} : parsed(text, type)),
    isCut,
  };
}

async function send(input: Input, signal: AbortSignal): Promise<Response> {
  const { method = "GET", timeoutSeconds = 30, json, body } = input;
  if (json !== undefined && body !== undefined) throw new Error('Use "json" or "body", not both.');
  const hasBody = json !== undefined || body !== undefined;
  if (hasBody && (method === "GET" || method === "HEAD")) {
    throw new Error(`A ${method} request has no body. Use "query", or another method.`);
  }
  const url = addressOf(input);
  const headers = headersOf(input);
  if (json !== undefined && !headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  const inTime = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    return await fetch(url, {
      method,
      headers,
      ...(hasBody ? { body: body ?? JSON.stringify(json) } : {}),
      signal: AbortSignal.any([signal, inTime]),
    });
  } catch (error) {
    if (inTime.aborted) {
      throw new Error(`${url.host} did not respond within ${timeoutSeconds} seconds.`, {
        cause: error,
      });
    }
    throw explained(error, url);
  }
}

function addressOf({ url: text, query = {} }: Input): URL {
  if (!URL.canParse(text)) {
    throw new Error(`"${text}" is not a URL. Use one such as "https://api.github.com/zen".`);
  }
  const url = new URL(text);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url;
}

function headersOf({ headers = {} }: Input): Headers {
  const all = new Headers({ "user-agent": "toolhost-http-request" });
  for (const [name, value] of Object.entries(headers)) {
    try {
      all.set(name, value);
    } catch (error) {
      throw new Error(`"${name}" is not a header that tools can send.`, { cause: error });
    }
  }
  return all;
}

/** Adds to a denied request's error how to allow the host. */
function explained(error: unknown, { host }: URL): Error {
  const reason = error instanceof Error ? error.message : String(error);
  if (!reason.startsWith("egress_denied")) {
    return new Error(`${host} could not be reached: ${reason}`, { cause: error });
  }
  const advice = "To reach other hosts, copy this tool and add them to its allowedHosts.";
  return new Error(`${reason}. ${advice}`, { cause: error });
}

/** Reads at most the limit, without waiting for the rest. */
async function readAtMost({ body }: Response, limit: number) {
  const bytes = new Uint8Array(limit);
  let size = 0;
  if (body === null) return { bytes: new Uint8Array(), isCut: false };
  for await (const chunk of body) {
    const part = chunk.subarray(0, limit - size);
    bytes.set(part, size);
    size += part.length;
    if (part.length < chunk.length) return { bytes, isCut: true };
  }
  return { bytes: bytes.subarray(0, size), isCut: false };
}

const textTypes = /^text\/|[/+](?:json|xml|javascript|yaml|x-www-form-urlencoded)\b|^$/i;

/** Returns undefined for bytes that are not text. */
function toText(bytes: Uint8Array, type: string): string | undefined {
  if (!textTypes.test(type)) return undefined;
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function parsed(text: string, type: string): { json?: unknown } {
  if (!/[/+]json\b/i.test(type)) return {};
  try {
    return { json: JSON.parse(text) };
  } catch {
    return {};
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // In parts, because the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(binary);
}
