import type { JsonObject } from "@toolhost/contract";
import type { BrokerAnswer, SavedFile } from "#core/agents";
import { knowsResourceLinks } from "./revisions.ts";
import type { McpRequest } from "./surface.ts";

type Success = Extract<BrokerAnswer, { isError: false }>;

const shortText = "The result is the structured content.";

/** A result in the client's form, with images and links to files. */
export function presentSuccess(
  { revision, results }: Pick<McpRequest, "revision" | "results">,
  { structured, text = JSON.stringify(structured), files = [] }: Success,
): JsonObject {
  const links = knowsResourceLinks(revision) ? files.map(toLink) : toLinkTexts(files);
  const images = files.flatMap(({ image, mimeType }) =>
    image === undefined ? [] : [{ type: "image", data: image.toString("base64"), mimeType }],
  );
  const shown = results === "structured" ? shortText : text;
  const content: JsonObject[] = [{ type: "text", text: shown }, ...links, ...images];
  return results === "text" ? { content } : { content, structuredContent: structured };
}

function toLink({ url, name, mimeType, size, expiresAt }: SavedFile): JsonObject {
  const description = `Works without a sign-in until ${expiresAt}`;
  return { type: "resource_link", uri: url, name, description, mimeType, size };
}

/** For clients that may not know resource links. File names are JSON, since the tool chose them. */
function toLinkTexts(files: readonly SavedFile[]): JsonObject[] {
  if (files.length === 0) return [];
  const lines = files.map(
    ({ name, url, expiresAt }) => `${JSON.stringify(name)}: ${url} (until ${expiresAt})`,
  );
  return [{ type: "text", text: `Download links of the files:\n${lines.join("\n")}` }];
}
