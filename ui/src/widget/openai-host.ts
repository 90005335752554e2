import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { Host, HostEvents, ToolResult } from "./host.ts";

/** What of `window.openai` is used, for versions of ChatGPT that do not speak MCP Apps. */
type OpenAi = {
  toolInput?: unknown;
  toolOutput?: unknown;
  toolResponseMetadata?: unknown;
  theme?: unknown;
  callTool?: (name: string, args: JsonObject) => Promise<unknown>;
  openExternal?: (target: { href: string }) => unknown;
  sendFollowUpMessage?: (message: { prompt: string }) => unknown;
  notifyIntrinsicHeight?: (height: number) => unknown;
};

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface adds to another
  interface Window {
    openai?: OpenAi;
  }
}

/** Uses `window.openai`; undefined where it is not there. */
export function connectOpenAiHost(events: HostEvents): Host | undefined {
  const { openai } = window;
  if (openai === undefined) return undefined;
  let input: unknown;
  let output: unknown;
  const read = () => {
    events.onLook({ theme: typeof openai.theme === "string" ? openai.theme : undefined });
    if (isObject(openai.toolInput) && openai.toolInput !== input) {
      input = openai.toolInput;
      events.onToolInput(openai.toolInput);
    }
    if (isObject(openai.toolOutput) && openai.toolOutput !== output) {
      output = openai.toolOutput;
      events.onToolResult(toResult(openai.toolOutput, openai.toolResponseMetadata));
    }
  };
  read();
  window.addEventListener("openai:set_globals", read);
  return toHost(openai);
}

/** The whole result where the host gives it, else the structure alone. */
function toResult(structuredContent: JsonObject, metadata: unknown): ToolResult {
  if (!isObject(metadata)) return { structuredContent };
  const whole = own(metadata, "mcp_tool_result") ?? own(metadata, "call_tool_result");
  return isObject(whole) ? whole : { structuredContent, _meta: metadata };
}

function toHost(openai: OpenAi): Host {
  return {
    callTool:
      openai.callTool === undefined
        ? undefined
        : async (name, args) => readAnswer(await openai.callTool?.(name, args)),
    readResource: undefined,
    openLink:
      openai.openExternal === undefined
        ? undefined
        : (url) => void openai.openExternal?.({ href: url }),
    tellModel: undefined,
    say:
      openai.sendFollowUpMessage === undefined
        ? undefined
        : (text) => void openai.sendFollowUpMessage?.({ prompt: text }),
    resize: (_, height) => void openai.notifyIntrinsicHeight?.(height),
  };
}

/** Some versions answer with the result, others with its text alone. */
function readAnswer(answer: unknown): ToolResult {
  if (!isObject(answer)) return {};
  const text = textAt(answer, "result");
  return text === undefined ? answer : { content: [{ type: "text", text }] };
}
