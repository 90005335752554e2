import type { JsonObject } from "@toolhost/contract";

/** Values that the conformance suite looks for. */

export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

export const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

export function text(said: string): JsonObject {
  return { content: [{ type: "text", text: said }] };
}

type Ask = { method: string; params: JsonObject };

/** A request for a form. */
export function form(message: string, properties: JsonObject, required: readonly string[]): Ask {
  const requestedSchema = { type: "object", properties, required: [...required] };
  return { method: "elicitation/create", params: { message, requestedSchema } };
}

/** A request for a model's words. */
export function sampling(prompt: string, maxTokens: number): Ask {
  const messages = [{ role: "user", content: { type: "text", text: prompt } }];
  return { method: "sampling/createMessage", params: { messages, maxTokens } };
}

export const roots: Ask = { method: "roots/list", params: {} };

export const nameForm = form("What is your name?", { name: { type: "string" } }, ["name"]);

/** A member that is to be text; empty when it is none. */
export function textAt(value: JsonObject, name: string): string {
  const member = value[name];
  return typeof member === "string" ? member : "";
}
