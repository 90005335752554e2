import { explained, OutboundError } from "./outbound-error.ts";
import { headerOf, targetOf, type OutboundClient } from "./outbound-client.ts";
import { readBody } from "./read-body.ts";
import type { Target } from "./target.ts";

/** A file on an external server. The caller must read its bytes to the end, or leave the loop. */
export type Download = { contentType: string | undefined; bytes: AsyncIterable<Uint8Array> };

/** Which downloads may share connections, and how long a download may take. */
export type DownloadOptions = { connectionGroup: string; signal: AbortSignal };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/** Streams a file, following up to five redirects. Throws `OutboundError`, also while it is read. */
export async function download(
  client: OutboundClient,
  url: string,
  options: DownloadOptions,
): Promise<Download> {
  let next: string | undefined = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const target = targetOf(next);
    const found: Download | string = await hop(client, target, next, options);
    if (typeof found !== "string") return found;
    next = found;
  }
  throw new OutboundError(`${targetOf(url).name} redirected too many times`, false);
}

/** The file, or the URL of a redirect. */
async function hop(
  client: OutboundClient,
  target: Target,
  url: string,
  { connectionGroup, signal }: DownloadOptions,
): Promise<Download | string> {
  try {
    const request = { connectionGroup, method: "GET", headers: { accept: "*/*" } };
    const { answer, release } = await client.send(target, request, signal);
    const { statusCode: status } = answer;
    const body = readBody(target, answer.body, release);
    if (status >= 200 && status < 300) {
      return { contentType: headerOf(answer, "content-type"), bytes: body.bytes };
    }
    body.drop();
    const location = headerOf(answer, "location");
    if (REDIRECTS.has(status) && location !== undefined && URL.canParse(location, url)) {
      return new URL(location, url).href;
    }
    throw new OutboundError(`${target.name} responded with status ${status}`, false);
  } catch (error) {
    throw explained(target, error);
  }
}
