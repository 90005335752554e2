import type { FileReference, UploadedFile as ShownFile } from "@toolhost/ui";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { saveFile } from "#lib/save-file";
import { showToast } from "#components/toasts";

/** Sends a file for a tool's input, and tells how much of it is on its way. */
export async function uploadFile(
  file: File,
  onUploadProgress: (fraction: number) => void,
): Promise<ShownFile> {
  const body = new FormData();
  body.append("file", file, file.name === "" ? "file" : file.name);
  const { fileId, fileName, size } = await api.send("POST /upload", { body, onUploadProgress });
  return { fileId, fileName, size };
}

const safeImages = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

/** The bytes of a file that is an image, as an address of this page; undefined for all that is none. */
export async function loadImage({ fileId }: FileReference): Promise<string | undefined> {
  const answer = await api.fetch("GET /files/{fileId}", { params: { fileId } });
  const type = answer.headers.get("content-type") ?? "";
  return safeImages.has(type) ? URL.createObjectURL(await answer.blob()) : undefined;
}

/**
 * Opens an address from a tool's output: a file of this service is saved, with the rights of this tab's workspace; all else
 * opens in a tab that knows nothing of this one.
 */
export function openLink(address: string): void {
  const url = new URL(address);
  const [, fileId] = /^\/api\/v1\/files\/([\w-]+)$/.exec(url.pathname) ?? [];
  if (url.origin !== location.origin || fileId === undefined) {
    open(address, "_blank", "noopener,noreferrer");
    return;
  }
  saveStored(fileId).catch((error: unknown) => showToast(errorMessage(error), "bad"));
}

async function saveStored(fileId: string): Promise<void> {
  const answer = await api.fetch("GET /files/{fileId}", { params: { fileId } });
  const named = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("content-disposition") ?? "");
  saveFile(await answer.blob(), decodeURIComponent(named?.[1] ?? fileId));
}
