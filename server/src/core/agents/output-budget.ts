import type { JsonObject } from "@toolhost/contract";
import { agentOutputCharacters } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { measure } from "./measure-json.ts";
import type { AgentsContext } from "./context.ts";

/**
 * How long an output for an agent may be: the workspace's setting, or else the server's. The setting is read only for
 * an output that some setting would shorten.
 */
export async function findMaxCharacters(
  { config, db }: AgentsContext,
  { workspaceId }: Caller,
  output: JsonObject,
): Promise<number> {
  const { min } = agentOutputCharacters;
  if (measure(output, min) <= min) return config.AGENT_OUTPUT_CHARACTERS;
  const row = await db.kysely
    .selectFrom("workspaces")
    .select("agent_output_characters")
    .where("id", "=", workspaceId)
    .executeTakeFirst();
  return row?.agent_output_characters ?? config.AGENT_OUTPUT_CHARACTERS;
}
