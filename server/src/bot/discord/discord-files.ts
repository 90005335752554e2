import { Readable } from "node:stream";
import { z } from "zod";
import { ChatError } from "#core/chat";
import type { ChatDownload, ChatFile, ChatUpload } from "#core/chat";
import { boundedFile, tooLarge } from "../bounded-file.ts";
import { wholeFileName } from "./discord-message.ts";
import type { DiscordMessage } from "./discord-message.ts";

/** Files may take a while. */
const transferMs = 120_000;
/** The upload limit of a server without boosts. */
const maxUploadBytes = 10 * 1024 * 1024;

/** An attachment as Discord sends it. */
export const attachment = z.object({
  filename: z.string(),
  content_type: z.string().nullish(),
  size: z.number().int().nonnegative(),
  url: z.string().max(1_000),
});

/** The attachments of an interaction, by ID. */
export const attachmentsById = z.record(z.string(), attachment);
export type Attachments = z.infer<typeof attachmentsById>;

/** The attachments of an interaction with these IDs. */
export function readAttachments(attachments: Attachments, ids: readonly string[]): ChatFile[] {
  return ids.flatMap((id) => {
    const found = Object.hasOwn(attachments, id) ? attachments[id] : undefined;
    if (found === undefined) return [];
    return [toChatFile(found)];
  });
}

/** An attachment as a file of the chat. Discord offers no way to look one up but its URL, so that is its ID. */
export function toChatFile({
  filename,
  content_type: type,
  size,
  url,
}: z.infer<typeof attachment>): ChatFile {
  const mimeType = (type ?? "application/octet-stream").slice(0, 255);
  return { id: url, name: filename.slice(0, 255) || "file", mimeType, size };
}

/** Downloads an attachment from Discord's own hosts only, without a token or redirects. */
export async function downloadDiscordFile(
  apiUrl: string,
  { id }: Pick<ChatFile, "id">,
  maxBytes: number,
): Promise<ChatDownload> {
  const url = fileUrl(apiUrl, id);
  const answer = await download(url);
  const { body, headers } = answer;
  const size = Number(headers.get("content-length") ?? 0);
  if (answer.status !== 200 || body === null || size > maxBytes) {
    await body?.cancel();
    if (size > maxBytes) throw tooLarge();
    throw new ChatError(answer.status >= 500 ? "later" : "gone", `file: HTTP ${answer.status}`);
  }
  return {
    name: nameIn(url),
    mimeType: (headers.get("content-type") ?? "application/octet-stream").slice(0, 255),
    size,
    body: Readable.from(boundedFile(Readable.fromWeb(body), maxBytes)),
  };
}

async function download(url: URL): Promise<Response> {
  try {
    return await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(transferMs) });
  } catch {
    throw new ChatError("later", "file: no response");
  }
}

function nameIn({ pathname }: URL): string {
  const last = pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last).slice(0, 255) || "file";
  } catch {
    return "file";
  }
}

const fileHosts = new Set(["cdn.discordapp.com", "media.discordapp.net"]);

/** The URL of a file on Discord's file hosts, or on the host of a custom API. Throws `ChatError` for any other. */
function fileUrl(apiUrl: string, given: string): URL {
  const api = new URL(apiUrl);
  const url = URL.parse(given);
  const isOurs =
    url !== null &&
    url.username === "" &&
    ((url.protocol === "https:" && url.port === "" && fileHosts.has(url.hostname)) ||
      (api.hostname !== "discord.com" && url.origin === api.origin));
  if (!isOurs) throw new ChatError("refused", "file: the URL is not Discord's");
  return url;
}

/** The request body of a message with a file. Throws `ChatError` for a file that is too large for Discord. */
export async function formOfFile(content: object, file: ChatUpload): Promise<FormData> {
  if (file.size > maxUploadBytes) {
    file.body.destroy();
    throw tooLarge();
  }
  const chunks: Buffer[] = [];
  for await (const chunk of boundedFile(file.body, maxUploadBytes)) chunks.push(Buffer.from(chunk));
  return formOf(content, {
    name: file.name,
    mimeType: file.mimeType,
    bytes: Buffer.concat(chunks),
  });
}

type Bytes = { name: string; mimeType: string; bytes: Buffer };

/** The request body of a message, with the full text as a file where it is shortened. An edit removes earlier files. */
export function toBody(
  { content, whole }: DiscordMessage,
  how?: "edit",
): { body: object } | { form: FormData } {
  if (whole === undefined) {
    return { body: how === undefined ? content : { ...content, attachments: [] } };
  }
  return { form: formOf(content, { name: wholeFileName, mimeType: "text/plain", bytes: whole }) };
}

function formOf(content: object, { name, mimeType, bytes }: Bytes): FormData {
  const form = new FormData();
  const filename = name.slice(0, 200) || "file";
  const payload = { ...content, attachments: [{ id: 0, filename }] };
  form.set("payload_json", JSON.stringify(payload));
  form.set("files[0]", new Blob([new Uint8Array(bytes)], { type: mimeType }), filename);
  return form;
}
