import canonicalize from "canonicalize";
import { sha256 } from "#lib/hash";
import type { McpToolDefinition } from "./definition.ts";

/**
 * Pins a definition: any change to any of its members gives another hash, including members that this service does not
 * know. The order of names within objects does not matter (RFC 8785).
 */
export function definitionHash(tool: McpToolDefinition): string {
  const text = canonicalize(tool);
  if (text === undefined) throw new TypeError("The definition is not JSON");
  return sha256(text);
}
