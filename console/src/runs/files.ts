import type { FileReference, UploadedFile as ShownFile } from "@toolhost/ui";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { saveFile } from "#lib/save-file";
import { showToast } from "#components/toasts";

/** Uploads a file for the input of a tool, and reports the progress. */
export async function uploadFile(
  file: File,
  onUploadProgress: (fraction: number) => void,
): Promise<ShownFile> {
  const body = new FormData();
  body.append("file", file, file.name === "" ? "file" : file.name);
  const { fileId, fileName, size } = await api.send("POST /upload", { body, onUploadProgress });
  return { fileId, fileName, size };
}

/** Deletes an uploaded file that is no longer needed. One that stays is deleted by the service after some days. */
export async function discardFile(fileId: string): Promise<void> {
  await api.send("DELETE /files/{fileId}", { params: { fileId } }).catch(() => undefined);
}

const safeImages = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

/** Loads an image file as a blob URL; undefined for other types. */
export async function loadImage({ fileId }: FileReference): Promise<string | undefined> {
  const response = await api.fetch("GET /files/{fileId}", { params: { fileId } });
  const type = response.headers.get("content-type") ?? "";
  return safeImages.has(type) ? URL.createObjectURL(await response.blob()) : undefined;
}

/**
 * Opens a URL from the output of a tool. A file of this service is downloaded with the rights of the current workspace; other
 * URLs open in a new tab without a reference to this one.
 */
export function openLink(address: string): void {
  const url = new URL(address);
  const [, fileId] = /^\/api\/v1\/files\/([\w-]+)$/.exec(url.pathname) ?? [];
  if (url.origin !== location.origin || fileId === undefined) {
    open(address, "_blank", "noopener,noreferrer");
    return;
  }
  downloadFile(fileId).catch((error: unknown) => showToast(errorMessage(error), "bad"));
}

async function downloadFile(fileId: string): Promise<void> {
  const response = await api.fetch("GET /files/{fileId}", { params: { fileId } });
  const named = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("content-disposition") ?? "");
  saveFile(await response.blob(), decodeURIComponent(named?.[1] ?? fileId));
}
