import { Readable } from "node:stream";
import { z } from "zod";
import { ChatError } from "#core/chat";
import type { ChatDownload, ChatUpload, ThreadRef } from "#core/chat";
import { boundedFile, tooLarge } from "../bounded-file.ts";
import type { CallMattermost } from "./mattermost-call.ts";
import { id, toPostId } from "./mattermost-post.ts";

/** Files may take a while. */
const transferMs = 120_000;

const info = z.object({ name: z.string(), mime_type: z.string().default(""), size: z.number() });

/** Downloads a file from the Mattermost server. */
export async function downloadMattermostFile(
  call: CallMattermost,
  fileId: string,
  maxBytes: number,
): Promise<ChatDownload> {
  const path = `api/v4/files/${encodeURIComponent(fileId)}`;
  const found = await call.json(`GET ${path}/info`);
  const { name, mime_type: mimeType, size } = info.parse(found);
  if (size > maxBytes) throw tooLarge();
  const { body } = await call.raw(`GET ${path}`, undefined, transferMs);
  if (body === null) throw new ChatError("later", "file: no body");
  return {
    name: name.slice(0, 255),
    mimeType: (mimeType || "application/octet-stream").slice(0, 255),
    size,
    body: Readable.from(boundedFile(Readable.fromWeb(body), maxBytes)),
  };
}

const uploaded = z.object({ file_infos: z.array(z.object({ id })).min(1) });

/** Uploads a file, and posts it into a thread. */
export async function uploadMattermostFile(
  call: CallMattermost,
  { channel, thread }: ThreadRef,
  { name, body }: ChatUpload,
): Promise<void> {
  const query = new URLSearchParams({
    channel_id: channel,
    filename: name.slice(0, 255) || "file",
  });
  const stream = Readable.toWeb(body) as ReadableStream;
  const answer = await call.json(`POST api/v4/files?${query.toString()}`, stream, transferMs);
  const fileIds = uploaded.parse(answer).file_infos.map((one) => one.id);
  const where = { channel_id: channel, root_id: toPostId(thread) };
  await call.json("POST api/v4/posts", { ...where, message: "", file_ids: fileIds });
}
