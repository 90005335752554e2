import { getToolSummaries } from "#core/tool-lists";
import type { Caller } from "#core/kernel";
import type { ChatBlock, ChatButton } from "../block.ts";
import type { ChatContext } from "../context.ts";
import { askQuestion } from "../turn.ts";
import type { Turn } from "../turn.ts";
import { findTool, isComplete } from "./find-tool.ts";
import { cut } from "./json.ts";
import { toToolRequest } from "./offer-tools.ts";
import { toQuestion } from "./subject.ts";
import { messages } from "./messages.ts";

type Listed = { name: string; title: string; description: string };

/** The person's favorites, then the tools that they ran recently. */
export async function findOwnTools(
  context: ChatContext,
  caller: Caller,
  limit: number,
): Promise<Listed[]> {
  if (!caller.scopes.has("mcp:execute")) return [];
  const page = { offset: 0, limit };
  const list = async (origin: "favorites" | "recent") =>
    (await getToolSummaries(context, caller, { sort: "newest", origin }, page)).tools;
  const all = [...(await list("favorites")), ...(await list("recent"))];
  return [...new Map(all.map((tool) => [tool.name, tool])).values()].slice(0, limit);
}

const maxButtons = 5;

/** Buttons that run the person's own tools; nothing if they have none. */
export async function ownToolBlocks(context: ChatContext, turn: Turn): Promise<ChatBlock[]> {
  const buttons: ChatButton[] = [];
  for (const { name } of await findOwnTools(context, turn.caller, maxButtons)) {
    const tool = await findTool(context, turn.caller, { toolName: name });
    const toolRequest = toToolRequest(tool, { text: "", files: [] });
    const questionId = await askQuestion(context, turn, toQuestion("offer", toolRequest));
    const choice = isComplete(tool, toolRequest) ? "pick" : "form";
    buttons.push({ label: cut(tool.title, 70), questionId, choice });
  }
  if (buttons.length === 0) return [];
  return [
    { kind: "text", text: messages.ownTools },
    { kind: "buttons", buttons },
  ];
}
