import { h } from "../dom.ts";
import { numberAt, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { createLink } from "./link.ts";
import type { FileReference, ResultHost } from "./link.ts";
import { formatBytes } from "./format.ts";
import * as messages from "./messages.ts";

const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
const maxImageBytes = 10_000_000;

/** Parses an object that describes a file; undefined for any other object. */
export function parseFileReference(value: JsonObject): FileReference | undefined {
  const [fileId, fileName] = [textAt(value, "fileId"), textAt(value, "fileName")];
  if (fileId === undefined || fileName === undefined) return undefined;
  const mimeType = textAt(value, "mimeType") ?? "application/octet-stream";
  return { fileId, fileName, mimeType, size: numberAt(value, "size"), url: textAt(value, "url") };
}

/** Renders a file as a download link, with a preview of an image that the host can load. */
export function renderFile(file: FileReference, host: ResultHost): HTMLElement {
  const { fileName, mimeType, size, url } = file;
  const name =
    url === undefined ? fileName : createLink(host, url, messages.downloadFile(fileName));
  const details = [mimeType, size === undefined ? "" : formatBytes(size)].filter(
    (text) => text !== "",
  );
  const card = h("div", { class: "file" }, name, h("span", { class: "muted" }, details.join(", ")));
  const { loadImage } = host;
  const isImage = imageTypes.has(mimeType) && (size ?? 0) <= maxImageBytes;
  if (isImage && loadImage !== undefined) void addImage(card, loadImage(file), fileName);
  return card;
}

async function addImage(
  card: HTMLElement,
  loaded: Promise<string | undefined>,
  name: string,
): Promise<void> {
  try {
    const url = await loaded;
    // Any other URL would let its server track the user who sees the result.
    if (url !== undefined && /^(?:blob:|data:image\/)/.test(url)) {
      card.prepend(createImage(url, name));
    }
  } catch {
    // The download link remains.
  }
}

/** Renders an image that is a `data:` URL; undefined for other text and for formats that can contain scripts. */
export function renderDataImage(text: string, name: string): HTMLElement | undefined {
  const [, type] = /^data:(image\/[a-z]+);base64,[A-Za-z0-9+/=]+$/.exec(text) ?? [];
  if (type === undefined || !imageTypes.has(type)) return undefined;
  return h("div", {}, createImage(text, name));
}

/** Creates an image. If the host's policy blocks it, a message replaces it. */
function createImage(src: string, name: string): HTMLElement {
  const image = h("img", { src, alt: name });
  image.addEventListener("error", () => {
    image.replaceWith(h("span", { class: "muted" }, messages.imageBlocked(name)));
  });
  return image;
}
