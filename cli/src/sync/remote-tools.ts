import type { Client, Tool } from "@toolhost/client";
import { publishedFrom, toolNamePattern } from "@toolhost/contract";
import type { PublishedFrom } from "@toolhost/contract";
import { definitionOf, hashOf } from "../project/definition.ts";
import type { Definition } from "../project/definition.ts";
import type { Link } from "../project/lock-file.ts";

/** A tool on the server. */
export type RemoteTool = {
  name: string;
  version: number;
  updatedAt: string;
  definition: Definition;
  hash: string;
};

/** A tool of the workspace, and where in Git it was last published from. */
export type ListedTool = {
  name: string;
  title: string;
  version: number;
  updatedAt: string;
  published: PublishedFrom | undefined;
  /** Whether the user created it. */
  isOwn: boolean;
};

/** The tools of the workspace that the user can see, without those of other workspaces, by name. */
export async function listTools(client: Client): Promise<Map<string, ListedTool>> {
  const tools = new Map<string, ListedTool>();
  for await (const tool of client.tools.list({ limit: 200 })) {
    if (tool.installed !== true && isSafeName(tool)) tools.set(tool.name, toListed(tool));
  }
  return tools;
}

/** The archived tools of the workspace that were published from Git. None for a key without `tools:write`. */
export async function listArchivedTools(client: Client): Promise<PublishedTool[]> {
  const tools: PublishedTool[] = [];
  try {
    for await (const tool of client.list("/archived-tools", { query: { limit: 200 } })) {
      const published = readPublished(tool);
      if (published !== undefined && isSafeName(tool)) {
        tools.push({ name: tool.name, published, isOwn: tool.mine === true });
      }
    }
  } catch (error) {
    if (!isApiError(error, 403)) throw error;
  }
  return tools;
}

/** A tool that was published from Git. */
export type PublishedTool = Pick<ListedTool, "name" | "isOwn"> & { published: PublishedFrom };

/** Whether an error is a response with this status. */
export function isApiError(error: unknown, status: number): boolean {
  return error instanceof Error && "status" in error && error.status === status;
}

/** Names become parts of files and of suggested commands, so a service cannot choose other characters. */
const isSafeName = ({ name }: { name: string }) => name.length <= 64 && toolNamePattern.test(name);

function toListed(tool: Tool): ListedTool {
  const { name, title, version, updatedAt, mine: isOwn = false } = tool;
  return { name, title, version, updatedAt, published: readPublished(tool), isOwn };
}

/** Commits and paths become arguments of Git, so they are checked again here. */
function readPublished({ publishedFrom: given }: { publishedFrom?: PublishedFrom }) {
  return publishedFrom.safeParse(given).data;
}

/** A tool with its source; undefined if it does not exist, or is of another workspace. */
export async function getRemote(client: Client, name: string): Promise<RemoteTool | undefined> {
  const detail = await client.tools.get(name).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "tool_not_found")
      return undefined;
    throw error;
  });
  const definition = detail === undefined ? undefined : definitionOf(detail as never);
  if (detail === undefined || definition === undefined || !isSafeName(detail)) return undefined;
  const { version, updatedAt } = detail;
  return { name: detail.name, version, updatedAt, definition, hash: hashOf(definition) };
}

/** The link after project and server have the same content. */
export function linkTo(remote: RemoteTool, localHash: string): Link {
  const { name, version, updatedAt, hash } = remote;
  const link = { name, version, updatedAt, hash: localHash };
  return hash === localHash ? link : { ...link, serverHash: hash };
}
