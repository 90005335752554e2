import { Readable } from "node:stream";
import { ChatError } from "#core/chat";
import type { ChatDownload } from "#core/chat";
import { boundedFile, tooLarge } from "../bounded-file.ts";
import { toChatError } from "../http-answer.ts";
import type { TokenSource } from "./entra.ts";
import { sendWithToken } from "./teams-call.ts";
import { isServiceUrl } from "./teams-settings.ts";
import type { TeamsSettings } from "./teams-settings.ts";

/** Files may take a while. */
const transferMs = 120_000;

/** Downloads a file from SharePoint, whose URL needs no token, or a pasted image from the Bot Connector. */
export async function downloadTeamsFile(
  settings: TeamsSettings,
  tokens: TokenSource,
  id: string,
  maxBytes: number,
): Promise<ChatDownload> {
  const url = URL.parse(id) ?? new URL("about:blank");
  const name = decodeName(url.hash.slice(1));
  const answer = isPastedImage(settings, url)
    ? await sendWithToken(settings, tokens, url, { forMs: transferMs })
    : await fetchShared(url);
  const size = Number(answer.headers.get("content-length") ?? 0);
  if (answer.status !== 200 || answer.body === null || size > maxBytes) {
    await answer.body?.cancel();
    throw size > maxBytes ? tooLarge() : toChatError("file", answer);
  }
  const type = answer.headers.get("content-type") ?? "";
  return {
    name,
    // The name says more than the type of any file.
    mimeType: type.startsWith("application/octet-stream") ? "" : type.slice(0, 255),
    size,
    body: Readable.from(boundedFile(Readable.fromWeb(answer.body), maxBytes)),
  };
}

/** The bot's token opens more than files, so it is sent to no other path of the Bot Connector. */
function isPastedImage(settings: TeamsSettings, url: URL): boolean {
  const isPath = /^(?:\/[\w.-]+){0,3}\/v3\/attachments\/[^/]+\/views\/[^/]+$/.test(url.pathname);
  return isPath && isServiceUrl(settings, url.href);
}

async function fetchShared(url: URL): Promise<Response> {
  const isShared =
    url.protocol === "https:" && url.port === "" && /\.sharepoint\.(?:com|us)$/.test(url.hostname);
  if (!isShared) throw new ChatError("refused", "file: the URL is not Microsoft's");
  try {
    return await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(transferMs) });
  } catch {
    throw new ChatError("later", "file: no response");
  }
}

function decodeName(given: string): string {
  try {
    return decodeURIComponent(given).slice(0, 255) || "file";
  } catch {
    return "file";
  }
}
