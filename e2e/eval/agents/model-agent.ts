import type { CountingClient, ToolResult } from "./counting-client.ts";
import type { Agent } from "./scripted-agent.ts";

/** An OpenAI-compatible server and one of its models. */
export type ModelConfig = { url: string; model: string; key: string | undefined };

type ToolCall = { id: string; function: { name: string; arguments: string } };
type Reply = { role: "assistant"; content: string | null; tool_calls?: ToolCall[] };
type Message =
  | Reply
  | { role: "system" | "user"; content: string }
  | { role: "tool"; tool_call_id: string; content: string };

const maxTurns = 12;
const timeoutMs = 120_000;

const assignment = `Solve the task by running one of the tools that you find. Make up plausible arguments.
Every tool returns one answer code: in the field "answer", in the text of the last of its rows, or in a file, whose content the link in the result is followed by.
Reply with the answer code alone.`;

/** An agent with a model, which uses the broker tools as it sees fit. */
export function createModelAgent(config: ModelConfig): Agent {
  return async (client, words) => {
    const { surface } = client;
    const messages: Message[] = [
      { role: "system", content: `${surface.instructions}\n\n${assignment}` },
      { role: "user", content: `Task: ${words}` },
    ];
    let toolName: string | undefined;
    for (let turn = 0; turn < maxTurns; turn++) {
      const reply = await ask(config, messages, surface.tools);
      messages.push(reply);
      const calls = reply.tool_calls ?? [];
      if (calls.length === 0) return { toolName, answer: reply.content?.trim() };
      for (const { id, function: called } of calls) {
        const args = parseArguments(called.arguments);
        if (typeof args["tool_name"] === "string") toolName = args["tool_name"];
        const content = await inWords(await call(client, called.name, args));
        messages.push({ role: "tool", tool_call_id: id, content });
      }
    }
    return { toolName, answer: undefined };
  };
}

async function ask(
  { url, model, key }: ModelConfig,
  messages: readonly Message[],
  tools: CountingClient["surface"]["tools"],
): Promise<Reply> {
  const functions = tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
  const response = await fetch(`${url.replace(/\/$/, "")}/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, messages, tools: functions, temperature: 0 }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`The model server responded with status ${response.status}`);
  const { choices } = (await response.json()) as { choices: { message: Reply }[] };
  const message = choices[0]?.message;
  if (message === undefined) throw new Error("The model server sent no message");
  return message;
}

/** A protocol error, such as for an unknown tool, is a result that the model can react to. */
async function call(client: CountingClient, name: string, args: object): Promise<ToolResult> {
  try {
    return await client.call(name, { ...args });
  } catch (error) {
    return { text: String(error), isError: true, links: [] };
  }
}

/** The model cannot open links, so files are read for it. */
async function inWords({ text, links }: ToolResult): Promise<string> {
  const files = await Promise.all(
    links.map(async ({ name, uri }) => `Content of ${name}: ${await (await fetch(uri)).text()}`),
  );
  return [text, ...files].join("\n");
}

function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
