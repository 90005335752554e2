import { h } from "../dom.ts";
import type { Child } from "../dom.ts";

/** What the host provides for results. What it does not support is undefined. */
export type ResultHost = {
  /** Opens a URL. Without it, links open in the browser as usual. */
  openLink?: ((url: string) => void) | undefined;
  /** Loads an image file as a `blob:` or `data:` URL; undefined if it is unavailable. */
  loadImage?: ((file: FileReference) => Promise<string | undefined>) | undefined;
  /** Copies text to the clipboard. */
  copy?: ((text: string) => void) | undefined;
  /** Downloads text as a file. */
  save?: ((file: { name: string; type: string; text: string }) => void) | undefined;
};

/** A file that a tool returns in its output. */
export type FileReference = {
  fileId: string;
  fileName: string;
  mimeType: string;
  size: number | undefined;
  url: string | undefined;
};

const schemes = new Set(["https:", "http:", "mailto:"]);
const maxUrlLength = 8_000;

/** The normalized URL if its scheme is safe to link to; undefined for scripts, local files, data and relative URLs. */
export function safeUrl(text: string): string | undefined {
  if (text.length > maxUrlLength || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return schemes.has(protocol) ? href : undefined;
}

/** Creates a link that opens in a new window. An unsafe URL is shown as text. */
export function createLink(host: ResultHost, url: string, ...children: readonly Child[]): Node {
  const href = safeUrl(url);
  const content = children.length === 0 ? [url] : children;
  if (href === undefined) return h("span", {}, ...content);
  const link = h(
    "a",
    { href, target: "_blank", rel: "noopener noreferrer nofollow", title: href },
    ...content,
  );
  const { openLink } = host;
  if (openLink !== undefined) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      openLink(href);
    });
  }
  return link;
}
