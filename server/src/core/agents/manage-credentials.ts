import type { JsonObject, MissingCredential, Tool } from "@toolhost/contract";
import { z } from "zod";
import type { Caller } from "#core/kernel";
import type { AgentsContext } from "./context.ts";
import {
  addAddress,
  findConnectAddresses,
  findCredentialStates,
  listCredentials,
} from "#core/vault";
import type { CredentialState } from "#core/vault";
import { ServiceError } from "#core/kernel";
import { findMissingCredentials } from "#core/runs";
import { getSkill, getToolList } from "#core/catalog";
import { defineBrokerTool } from "./broker-tool.ts";
import { suggestTools } from "./suggest-tools.ts";

const maxListed = 200;

/** Lists credentials with their status and connect links. Never accepts or returns a secret. */
export const manageCredentialsBroker = defineBrokerTool({
  name: "service_manage_credentials",
  title: "Connect credentials",
  description:
    "Lists the credentials a tool needs and whether they are connected and approved, with links for the user to open. Use when service_execute_tool says credentials are missing. Never ask for secrets or pass them as arguments.",
  scope: "mcp:read",
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  input: z.strictObject({
    tool_name: z.string().max(200).optional(),
    credential: z.string().max(100).optional(),
    connect: z.boolean().default(false).meta({ description: "Also link connected ones" }),
  }),
  output: z.object({
    credentials: z.array(
      z.object({
        name: z.string().meta({ description: "Credential" }),
        status: z.string().meta({
          description:
            "connected, missing or expired; with tool_name also not_approved, or not_exposable when the tool must not read the value",
        }),
        exposable: z
          .boolean()
          .optional()
          .meta({ description: "Whether tool code may read the value" }),
        usedBy: z.array(z.string().meta({ description: "Tool name" })),
        connectUrl: z
          .string()
          .optional()
          .meta({ description: "Link for the user to open in a browser" }),
      }),
    ),
    hint: z.string().optional().meta({ description: "What to do next" }),
  }),
  call: async (context, caller, { tool_name: toolName, credential, connect }) => {
    const used = await findUses(context, caller, toolName);
    if (toolName === undefined) await addUndeclared(context, caller, used);
    const names = [...used.keys()].filter(
      (name) => credential === undefined || name === credential,
    );
    if (credential !== undefined && names.length === 0) {
      const known = [...used.keys()].join(", ");
      return {
        isError: true,
        text: `No credential ${JSON.stringify(credential)} is stored here or needed by a tool. ${known === "" ? "No credentials exist." : `Available credentials: ${known}.`}`,
      };
    }
    const [states, addresses, missing] = await Promise.all([
      findCredentialStates(context, caller, names),
      findConnectAddresses(context, caller, names),
      toolName === undefined ? [] : findMissingCredentials(context, caller, toolName),
    ]);
    const credentials = names.toSorted().map((name): JsonObject => {
      const lack = missing.find((lacking) => lacking.name === name);
      const state = states.get(name);
      const status = statusOf(lack, state?.state);
      const isShown = connect || status !== "connected";
      const [user] = used.get(name) ?? [];
      const { workspaceId } = caller;
      const link = isShown
        ? {
            connectUrl:
              lack?.connectUrl ??
              addresses.get(name) ??
              addAddress(context.config.baseUrl, { name, workspaceId, toolName: user }),
          }
        : {};
      const exposable = state === undefined ? {} : { exposable: state.isExposable };
      return { name, status, ...exposable, usedBy: used.get(name) ?? [], ...link };
    });
    return { isError: false, structured: { credentials, hint: hintFor(credentials) } };
  },
});

function statusOf(
  lack: MissingCredential | undefined,
  state: CredentialState | undefined,
): CredentialState | "not_approved" | "not_exposable" {
  if (lack?.reason === "not_approved" || lack?.reason === "not_exposable") return lack.reason;
  return state ?? "missing";
}

function hintFor(credentials: readonly JsonObject[]): string {
  if (credentials.length === 0) return "No credentials are needed.";
  return credentials.some(({ status }) => status !== "connected")
    ? "Ask the user to open connectUrl in a browser, and to add or approve the credential there, or decline. Never request the secret itself. Then run the tool again."
    : "All credentials are connected.";
}

/** The tools that declare each credential. Throws `tool_not_found` with suggestions. */
async function findUses(
  context: AgentsContext,
  caller: Caller,
  toolName: string | undefined,
): Promise<Map<string, string[]>> {
  const tools =
    toolName === undefined
      ? await listAll(context, caller)
      : [await one(context, caller, toolName)];
  const used = new Map<string, string[]>();
  for (const { name, credentials } of tools) {
    for (const declared of credentials) {
      used.set(declared.name, [...(used.get(declared.name) ?? []), name]);
    }
  }
  return used;
}

async function one(context: AgentsContext, caller: Caller, toolName: string) {
  try {
    return await getSkill(context, caller, toolName);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "tool_not_found") throw error;
    throw new ServiceError(error.code, await suggestTools(context, caller, toolName));
  }
}

async function listAll(context: AgentsContext, caller: Caller): Promise<Tool[]> {
  const page = { limit: maxListed, after: undefined, text: undefined };
  return (await getToolList(context, caller, page)).tools;
}

/** Adds the caller's credentials that no tool declares. */
async function addUndeclared(
  context: AgentsContext,
  caller: Caller,
  used: Map<string, string[]>,
): Promise<void> {
  const kept = await listCredentials(context, caller, { limit: maxListed, after: undefined });
  for (const { name } of kept) if (!used.has(name)) used.set(name, []);
}
