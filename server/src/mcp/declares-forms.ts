import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";

/** Whether the capabilities of a client include form elicitation. An empty declaration means forms (2025-11-25). */
export function declaresForms({ elicitation }: JsonObject): boolean {
  if (!isJsonObject(elicitation)) return false;
  return isJsonObject(elicitation["form"]) || elicitation["url"] === undefined;
}
