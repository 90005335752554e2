import { Readable } from "node:stream";
import { z } from "zod";
import { ChatError } from "#core/chat";
import type { ChatDownload, ChatFile, ThreadRef, ChatUpload } from "#core/chat";
import { boundedFile, tooLarge } from "../bounded-file.ts";
import type { CallSlack } from "./slack-call.ts";

type Access = { apiUrl: string; token: string; call: CallSlack };

/** Files may take a while. */
const transferMs = 120_000;

const fileInfo = z.object({
  file: z.object({
    name: z.string().nullish(),
    mimetype: z.string().nullish(),
    size: z.number(),
    url_private_download: z.string().optional(),
    url_private: z.string().optional(),
  }),
});

/** Downloads a file. The token is sent only to Slack's file host, and redirects are not followed. */
export async function downloadSlackFile(
  access: Access,
  { id }: Pick<ChatFile, "id">,
  maxBytes: number,
): Promise<ChatDownload> {
  const parsed = fileInfo.safeParse(await access.call("files.info", { file: id }));
  if (!parsed.success) throw new ChatError("gone", "files.info: file not found");
  const { name, mimetype, size, url_private_download, url_private } = parsed.data.file;
  if (size > maxBytes) throw tooLarge();
  const url = fileHostUrl(access.apiUrl, url_private_download ?? url_private ?? "");
  const answer = await transfer(url, { headers: { authorization: `Bearer ${access.token}` } });
  const type = answer.headers.get("content-type") ?? "";
  if (answer.status !== 200 || answer.body === null) {
    await answer.body?.cancel();
    throw new ChatError(answer.status >= 500 ? "later" : "gone", `file: HTTP ${answer.status}`);
  }
  // Without access to the file, Slack responds with its sign-in page.
  if (type.startsWith("text/html") && mimetype !== "text/html") {
    await answer.body.cancel();
    throw new ChatError("gone", "file: no access");
  }
  return {
    name: (name ?? "file").slice(0, 255),
    mimeType: (mimetype ?? "application/octet-stream").slice(0, 255),
    size,
    body: Readable.from(boundedFile(Readable.fromWeb(answer.body), maxBytes)),
  };
}

const upload = z.object({ upload_url: z.string(), file_id: z.string() });

/** Uploads a file into a thread in the three steps of Slack's API. */
export async function uploadSlackFile(
  { apiUrl, call }: Access,
  { channel, thread }: ThreadRef,
  { name, size, body }: ChatUpload,
): Promise<void> {
  const filename = name.slice(0, 255) || "file";
  const answer = await call("files.getUploadURLExternal", { filename, length: size });
  const { upload_url: target, file_id: id } = upload.parse(answer);
  const sent = await transfer(fileHostUrl(apiUrl, target), {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: Readable.toWeb(body),
    duplex: "half",
  });
  await sent.body?.cancel();
  if (sent.status !== 200) {
    throw new ChatError(sent.status >= 500 ? "later" : "refused", `file: HTTP ${sent.status}`);
  }
  await call("files.completeUploadExternal", {
    files: [{ id, title: filename }],
    channel_id: channel,
    thread_ts: thread,
  });
}

async function transfer(url: URL, init: RequestInit & { duplex?: "half" }): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(transferMs);
    return await fetch(url, { ...init, redirect: "manual", signal });
  } catch {
    throw new ChatError("later", "file: no response");
  }
}

/** The URL of a file on Slack's file host, or on the host of a custom API. Throws `ChatError` for any other. */
function fileHostUrl(apiUrl: string, given: string): URL {
  const api = new URL(apiUrl);
  const url = URL.parse(given);
  const isOurs =
    url !== null &&
    url.username === "" &&
    (url.origin === api.origin ||
      (url.protocol === "https:" && url.host === `files.${api.host.replace(/^www\./, "")}`));
  if (!isOurs) throw new ChatError("refused", "file: the URL is not Slack's");
  return url;
}
