import { knowsOnlyText } from "./revisions.ts";

/**
 * In which form a client gets results: `both` as text and as structured content, as MCP recommends; or once, as `text`, or
 * as `structured` content with a short text.
 */
export type ResultForm = "both" | "text" | "structured";

/** Clients of revisions without structured content get text. Others may choose with `?results=` in the server's URL. */
export function resultFormOf(url: string, revision: string | undefined): ResultForm {
  if (knowsOnlyText(revision)) return "text";
  // Parsing is slow, and most URLs have no query.
  if (!url.includes("?")) return "both";
  const chosen = new URL(url).searchParams.get("results");
  return chosen === "text" || chosen === "structured" ? chosen : "both";
}
