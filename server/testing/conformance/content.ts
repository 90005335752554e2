import type { JsonObject } from "@toolhost/contract";

/** Values that the conformance suite expects. */

export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

export const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

export function text(content: string): JsonObject {
  return { content: [{ type: "text", text: content }] };
}

type ClientRequest = { method: string; params: JsonObject };

/** A request to show a form. */
export function form(
  message: string,
  properties: JsonObject,
  required: readonly string[],
): ClientRequest {
  const requestedSchema = { type: "object", properties, required: [...required] };
  return { method: "elicitation/create", params: { message, requestedSchema } };
}

/** A request to sample a model. */
export function sampling(prompt: string, maxTokens: number): ClientRequest {
  const messages = [{ role: "user", content: { type: "text", text: prompt } }];
  return { method: "sampling/createMessage", params: { messages, maxTokens } };
}

export const roots: ClientRequest = { method: "roots/list", params: {} };

export const nameForm = form("What is your name?", { name: { type: "string" } }, ["name"]);

/** A string member; empty if it is missing or of another type. */
export function textAt(value: JsonObject, name: string): string {
  const member = value[name];
  return typeof member === "string" ? member : "";
}
