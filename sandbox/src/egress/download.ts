import type { Readable } from "node:stream";
import { explained, OutboundError } from "./outbound-error.ts";
import { headerOf, targetOf, type Asker } from "./outbound-request.ts";
import type { Target } from "./target.ts";

/** A file of somebody else's server. Its bytes must be read, to the end or until the loop is left. */
export type Download = { contentType: string | undefined; bytes: AsyncIterable<Uint8Array> };

/** Who may share its connections, and how long it may take. */
export type DownloadOptions = { circle: string; signal: AbortSignal };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/** Gets a file bit by bit, over a few redirects. Throws `OutboundError`, also while it is read. */
export async function download(
  asker: Asker,
  url: string,
  options: DownloadOptions,
): Promise<Download> {
  let next: string | undefined = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const target = targetOf(next);
    const found: Download | string = await hop(asker, target, next, options);
    if (typeof found !== "string") return found;
    next = found;
  }
  throw new OutboundError(`${targetOf(url).name} leads on and on`, false);
}

/** The file, or where a redirect leads. */
async function hop(
  asker: Asker,
  target: Target,
  url: string,
  { circle, signal }: DownloadOptions,
): Promise<Download | string> {
  try {
    const request = { circle, method: "GET", headers: { accept: "*/*" } };
    const { answer, giveBack } = await asker.ask(target, request, signal);
    const { statusCode: status, body } = answer;
    if (status >= 200 && status < 300) {
      const contentType = headerOf(answer, "content-type");
      return { contentType, bytes: read(target, body, giveBack) };
    }
    drop(body);
    giveBack();
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
  giveBack: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw explained(target, error);
  } finally {
    drop(body);
    giveBack();
  }
}

/** What is not read to its end says so once more, to nobody. */
function drop(body: Readable): void {
  body.on("error", () => {}).destroy();
}
