import type { Readable } from "node:stream";
import { explained, OutboundError } from "./outbound-error.ts";
import { headerOf, targetOf, type OutboundClient } from "./outbound-client.ts";
import type { Target } from "./target.ts";

/** A file of somebody else's server. Its bytes must be read, to the end or until the loop is left. */
export type Download = { contentType: string | undefined; bytes: AsyncIterable<Uint8Array> };

/** Who may share its connections, and how long it may take. */
export type DownloadOptions = { connectionGroup: string; signal: AbortSignal };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/** Gets a file bit by bit, over a few redirects. Throws `OutboundError`, also while it is read. */
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
  throw new OutboundError(`${targetOf(url).name} leads on and on`, false);
}

/** The file, or where a redirect leads. */
async function hop(
  client: OutboundClient,
  target: Target,
  url: string,
  { connectionGroup, signal }: DownloadOptions,
): Promise<Download | string> {
  try {
    const request = { connectionGroup, method: "GET", headers: { accept: "*/*" } };
    const { answer, release } = await client.send(target, request, signal);
    const { statusCode: status, body } = answer;
    if (status >= 200 && status < 300) {
      const contentType = headerOf(answer, "content-type");
      return { contentType, bytes: read(target, body, release) };
    }
    drop(body);
    release();
    const location = headerOf(answer, "location");
    if (REDIRECTS.has(status) && location !== undefined && URL.canParse(location, url)) {
      return new URL(location, url).href;
    }
    throw new OutboundError(`${target.name} answered ${status}`, false);
  } catch (error) {
    throw explained(target, error);
  }
}

async function* read(
  target: Target,
  body: Readable,
  release: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw explained(target, error);
  } finally {
    drop(body);
    release();
  }
}

/** What is not read to its end says so once more, to nobody. */
function drop(body: Readable): void {
  body.on("error", () => {}).destroy();
}
