import { h } from "../dom.ts";
import type { Child } from "../dom.ts";

/** What results need of where they stand. */
export type ResultHost = {
  /** Opens an address outside; without it the browser's own way is taken. */
  openLink?: ((url: string) => void) | undefined;
  /** Gives the bytes of a file that is an image as a `blob:` or `data:` address; undefined when it cannot. */
  loadImage?: ((file: FileReference) => Promise<string | undefined>) | undefined;
  /** Takes a text to the clipboard. Without it nothing offers that. */
  copy?: ((text: string) => void) | undefined;
  /** Saves a text as a file. Without it nothing offers that. */
  save?: ((file: { name: string; type: string; text: string }) => void) | undefined;
};

/** A file as tools put it into their output. */
export type FileReference = {
  fileId: string;
  fileName: string;
  mimeType: string;
  size: number | undefined;
  url: string | undefined;
};

const schemes = new Set(["https:", "http:", "mailto:"]);
const longest = 8_000;

/** The address if a link may lead there: never to code, to a file or into the page itself. */
export function safeAddress(text: string): string | undefined {
  if (text.length > longest || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return schemes.has(protocol) ? href : undefined;
}

/** A link out of here; what leads nowhere safe is shown as text. */
export function makeLink(host: ResultHost, address: string, ...children: readonly Child[]): Node {
  const href = safeAddress(address);
  const shown = children.length === 0 ? [address] : children;
  if (href === undefined) return h("span", {}, ...shown);
  const link = h(
    "a",
    { href, target: "_blank", rel: "noopener noreferrer nofollow", title: href },
    ...shown,
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
