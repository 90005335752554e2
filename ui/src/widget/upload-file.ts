import type { UploadedFile } from "../form/field.ts";
import { isObject, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { Host, ToolResult } from "./host.ts";
import * as messages from "./messages.ts";
import { parseResult } from "./parse-result.ts";

/** Larger files do not fit into a message and are uploaded to a URL. */
const maxInlineBytes = 600_000;

type CallTool = NonNullable<Host["callTool"]>;

/** Uploads a file through the host, or a large one directly to the server. Error messages are shown to the user. */
export async function uploadFile(callTool: CallTool, file: File): Promise<UploadedFile> {
  const name = file.name === "" ? "file" : file.name;
  const type = file.type === "" ? {} : { mime_type: file.type };
  const isSmall = file.size <= maxInlineBytes;
  const result = await callTool("service_upload", {
    file_name: name,
    ...type,
    ...(isSmall ? { content_base64: await toBase64(file) } : { size: file.size }),
  });
  const upload = outputOf(result);
  const uploadUrl = textAt(upload, "uploadUrl");
  if (uploadUrl !== undefined) await put(uploadUrl, file);
  const fileId = textAt(upload, "fileId");
  if (fileId === undefined) throw new Error(messages.noFileId);
  return { fileId, fileName: textAt(upload, "fileName") ?? name, size: file.size };
}

function outputOf(result: ToolResult): JsonObject {
  const { structuredContent } = result;
  if (result.isError !== true && isObject(structuredContent)) return structuredContent;
  const { state } = parseResult(result);
  if (state.status === "completed") return state.output;
  throw new Error("message" in state ? (state.message ?? "") : "");
}

async function put(url: string, file: File): Promise<void> {
  const options = {
    method: "PUT",
    body: file,
    headers: { "content-type": "application/octet-stream" },
    credentials: "omit",
    referrerPolicy: "no-referrer",
  } as const;
  const response = await fetch(url, options).catch(() => {
    throw new Error(messages.uploadBlocked);
  });
  if (!response.ok) throw new Error(messages.uploadStatus(response.status));
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}
