import { requireScope } from "#core/identity";
import { formFor } from "../answers/answer-question.ts";
import { findTool } from "../answers/find-tool.ts";
import { firstSentence, findMatches, toToolRequest } from "../answers/offer-tools.ts";
import { maxOffered, pickTool } from "../answers/pick-tool.ts";
import { toQuestion } from "../answers/subject.ts";
import type { ToolRequest } from "../answers/subject.ts";
import type { ChatFile } from "../block.ts";
import type { ChatContext } from "../context.ts";
import { messages } from "../messages.ts";
import type { ThreadRef } from "../platform.ts";
import { maxTextLength } from "../answers/subject.ts";
import { storeQuestion } from "../store-question.ts";
import { notice, openAndFill } from "./fill-panel.ts";
import type { PanelRequest, PanelUser } from "./fill-panel.ts";
import type { ChatPanel } from "./panel.ts";

/** Opens the form of a tool. The answer to it is posted to the given thread. */
export async function openToolForm(
  context: ChatContext,
  platform: string,
  request: PanelRequest & { toolName: string; threadRef: ThreadRef },
): Promise<void> {
  const { toolName, threadRef } = request;
  const title = messages.runToolTitle;
  await openAndFill(context, platform, request, {
    title,
    fill: async (user) => {
      requireScope(user.caller, "mcp:execute");
      const tool = await findTool(context, user.caller, { toolName });
      const toolRequest = toToolRequest(tool, { text: "", files: [] });
      return toFormPanel(context, { user, threadRef, toolRequest });
    },
  });
}

/** Opens the form of the tool that a message means, with its values and files, or a choice of tools. */
export async function openMessageForm(
  context: ChatContext,
  platform: string,
  request: PanelRequest & { threadRef: ThreadRef; text: string; files: readonly ChatFile[] },
): Promise<void> {
  const { threadRef, files } = request;
  const text = request.text.trim().slice(0, maxTextLength);
  const title = messages.runWithMessageTitle;
  await openAndFill(context, platform, request, {
    title,
    fill: async (user) => {
      requireScope(user.caller, "mcp:execute");
      const matches = text === "" ? [] : await findMatches(context, user.caller, text);
      const picked = pickTool(matches);
      const chosen = picked === undefined ? matches.slice(0, maxOffered) : [picked];
      const tools = [];
      for (const { name } of chosen) {
        tools.push(await findTool(context, user.caller, { toolName: name }));
      }
      const [only] = tools;
      if (only === undefined) {
        const url = `${context.config.baseUrl}/catalog`;
        return notice(title, messages.noToolForMessage, [{ label: messages.browseTools, url }]);
      }
      if (picked !== undefined) {
        const toolRequest = toToolRequest(only, { text, files });
        return toFormPanel(context, { user, threadRef, toolRequest });
      }
      const options = [];
      for (const tool of tools) {
        const toolRequest = toToolRequest(tool, { text, files });
        const questionId = await askFor(context, { user, threadRef, toolRequest });
        const button = { label: messages.choose, questionId, choice: "form" };
        options.push({ title: tool.title, description: firstSentence(tool.description), button });
      }
      return { kind: "choice", title, text: messages.chooseTool, options };
    },
  });
}

type Asking = { user: PanelUser; threadRef: ThreadRef; toolRequest: ToolRequest };

function askFor(context: ChatContext, { user, threadRef, toolRequest }: Asking): Promise<string> {
  const question = toQuestion("offer", toolRequest);
  const { connection, chatUserId } = user;
  const asked = { connectionId: connection.id, chatUserId, threadRef, question };
  return storeQuestion(context, asked);
}

async function toFormPanel(context: ChatContext, asking: Asking): Promise<ChatPanel> {
  const id = await askFor(context, asking);
  const { kind, subject } = toQuestion("offer", asking.toolRequest);
  const { caller } = asking.user;
  const form = await formFor(context, { id, kind, subject, caller, choice: "form" });
  return form === undefined
    ? notice(messages.runToolTitle, messages.toolGone)
    : { kind: "form", form };
}
