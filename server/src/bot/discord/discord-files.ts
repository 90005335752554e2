import { Readable } from "node:stream";
import { z } from "zod";
import { ChatError } from "#core/chat";
import type { ChatDownload, ChatFile, ChatUpload } from "#core/chat";
import { boundedFile, tooLarge } from "../bounded-file.ts";
import { wholeFileName } from "./discord-message.ts";
import type { DiscordMessage } from "./discord-message.ts";

/** A file may take its time. */
const transferMs = 120_000;
/** What Discord takes of a bot in a server that pays for nothing. */
const maxUploadBytes = 10 * 1024 * 1024;

/** A file as Discord tells of it. */
export const attachment = z.object({
  filename: z.string(),
  content_type: z.string().nullish(),
  size: z.number().int().nonnegative(),
  url: z.string().max(1_000),
});

/** The files of an interaction by their ids, as Discord tells of them. */
export const attachmentsById = z.record(z.string(), attachment);
export type Attachments = z.infer<typeof attachmentsById>;

/** Files of an interaction. */
export function readAttachments(attachments: Attachments, ids: readonly string[]): ChatFile[] {
  return ids.flatMap((id) => {
    const found = Object.hasOwn(attachments, id) ? attachments[id] : undefined;
    if (found === undefined) return [];
    return [toChatFile(found)];
  });
}

/** A file that Discord tells of. There is no other way to find one again than its address, so that is its id. */
export function toChatFile({
  filename,
  content_type: type,
  size,
  url,
}: z.infer<typeof attachment>): ChatFile {
  const mimeType = (type ?? "application/octet-stream").slice(0, 255);
  return { id: url, name: filename.slice(0, 255) || "file", mimeType, size };
}

/** Opens a file of an interaction: of Discord's own hosts only, without any token, following no redirect. */
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
    throw new ChatError(answer.status >= 500 ? "later" : "gone", `a file: HTTP ${answer.status}`);
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
    throw new ChatError("later", "a file: no answer");
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

/** An address of a file, if it is on a host that Discord has for files, or beside an API that stands elsewhere. */
function fileUrl(apiUrl: string, given: string): URL {
  const api = new URL(apiUrl);
  const url = URL.parse(given);
  const isOurs =
    url !== null &&
    url.username === "" &&
    ((url.protocol === "https:" && url.port === "" && fileHosts.has(url.hostname)) ||
      (api.hostname !== "discord.com" && url.origin === api.origin));
  if (!isOurs) throw new ChatError("refused", "a file: its address is not Discord's");
  return url;
}

/** A message with a file, as Discord takes it. Throws `ChatError` for a file that is too large for it. */
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

/** A message as a request's body, with all that it says in a file where it has to be cut. An edit drops older files. */
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
