import type { JsonObject } from "@toolhost/contract";
import { png } from "./content.ts";

/** The resources that the suite lists. */
export const fixtureResources: readonly JsonObject[] = [
  { uri: "test://static-text", name: "static-text", description: "t", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "static-binary", description: "b", mimeType: "image/png" },
];

/** The contents of a fixture resource; undefined for any other URI. */
export function readFixture(uri: unknown): JsonObject | undefined {
  if (typeof uri !== "string") return undefined;
  if (uri === "test://static-text") {
    const text = "This is the content of the static text resource.";
    return { uri, mimeType: "text/plain", text };
  }
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: png };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { uri, mimeType: "application/json", text: JSON.stringify(data) };
}
