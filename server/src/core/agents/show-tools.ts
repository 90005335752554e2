import type { JsonObject, Tool } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { AgentsContext } from "./context.ts";
import { findCredentialStates } from "#core/vault";
import type { CredentialState } from "#core/vault";

type Shown = Pick<
  Tool,
  | "name"
  | "title"
  | "description"
  | "inputSchema"
  | "outputSchema"
  | "fileFields"
  | "confirm"
  | "credentials"
>;

/** Presents what an agent needs to run a tool, with the status of its credentials for this caller. */
export async function createToolPresenter(
  context: AgentsContext,
  caller: Caller,
  tools: readonly Shown[],
): Promise<(tool: Shown) => JsonObject> {
  const names = tools.flatMap(({ credentials }) => credentials.map(({ name }) => name));
  const states = await findCredentialStates(context, caller, [...new Set(names)]);
  return (tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema as JsonObject,
    fileFields: tool.fileFields,
    ...(tool.confirm ? { annotations: { destructiveHint: true } } : {}),
    credentials: tool.credentials.map(({ name }) => ({ name, status: stateOf(states, name) })),
  });
}

type States = Awaited<ReturnType<typeof findCredentialStates>>;

function stateOf(states: States, name: string): CredentialState {
  return states.get(name)?.state ?? "missing";
}
