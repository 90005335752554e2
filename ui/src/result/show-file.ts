import { h } from "../dom.ts";
import { numberAt, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { makeLink } from "./links.ts";
import type { FileReference, ResultHost } from "./links.ts";
import { formatBytes } from "./format.ts";
import { fileMessages } from "./messages.ts";

const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
const maxImageBytes = 10_000_000;

/** Reads an object that names a file; undefined for any other. */
export function readFile(value: JsonObject): FileReference | undefined {
  const [fileId, fileName] = [textAt(value, "fileId"), textAt(value, "fileName")];
  if (fileId === undefined || fileName === undefined) return undefined;
  const mimeType = textAt(value, "mimeType") ?? "application/octet-stream";
  return { fileId, fileName, mimeType, size: numberAt(value, "size"), url: textAt(value, "url") };
}

/** A file with a link to download it; an image is shown where the host can get it. */
export function showFile(file: FileReference, host: ResultHost): HTMLElement {
  const { fileName, mimeType, size, url } = file;
  const name = url === undefined ? fileName : makeLink(host, url, fileMessages.download(fileName));
  const about = [mimeType, size === undefined ? "" : formatBytes(size)].filter(
    (text) => text !== "",
  );
  const card = h("div", { class: "file" }, name, h("span", { class: "muted" }, about.join(", ")));
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
    const address = await loaded;
    // Anything else than bytes that are here already would tell some server who looks.
    if (address !== undefined && /^(?:blob:|data:image\/)/.test(address)) {
      card.prepend(makeImage(address, name));
    }
  } catch {
    // The link is still there.
  }
}

/** An image within the output itself; undefined for text that is none, and for kinds that can hold code. */
export function showDataImage(text: string, name: string): HTMLElement | undefined {
  const [, type] = /^data:(image\/[a-z]+);base64,[A-Za-z0-9+/=]+$/.exec(text) ?? [];
  if (type === undefined || !imageTypes.has(type)) return undefined;
  return h("div", {}, makeImage(text, name));
}

/** Some hosts let widgets show no image at all, not even one that is here; then its name stands in its place. */
function makeImage(src: string, name: string): HTMLElement {
  const image = h("img", { src, alt: name });
  image.addEventListener("error", () => {
    image.replaceWith(h("span", { class: "muted" }, fileMessages.imageBlocked(name)));
  });
  return image;
}
