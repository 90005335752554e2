import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

type Args = Record<string, unknown>;

/** A result of a tool as a model reads it. */
export type ToolResult = {
  text: string;
  isError: boolean;
  links: readonly { uri: string; name: string }[];
};

/** A call and its tokens: those that the model writes and those that it reads. */
export type CountedCall = { tool: string; written: number; read: number };

/** An MCP connection that counts tokens as a model pays for them. */
export type CountingClient = {
  /** The server's instructions, and the tools with their input schemas. */
  surface: { instructions: string; tools: readonly ListedTool[]; tokens: number };
  calls: readonly CountedCall[];
  call(tool: string, args: Args): Promise<ToolResult>;
  /** Starts to count again. */
  reset(): void;
  close(): Promise<void>;
};

type ListedTool = { name: string; description: string; inputSchema: object };

/** Counts in the vocabulary o200k_base. */
export function countTokens(value: unknown): number {
  return encode(typeof value === "string" ? value : JSON.stringify(value)).length;
}

export async function connect(url: string, token: string): Promise<CountingClient> {
  const client = new Client({ name: "agent evaluation", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const listed = await client.listTools();
  const tools = listed.tools.map(({ name, description = "", inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  const instructions = client.getInstructions() ?? "";
  const tokens = countTokens(instructions) + countTokens(tools);
  let calls: CountedCall[] = [];
  return {
    surface: { instructions, tools, tokens },
    get calls() {
      return calls;
    },
    call: async (tool, args) => {
      const result = read(await client.callTool({ name: tool, arguments: args }));
      const linked = result.links.map(({ uri }) => uri).join(" ");
      calls.push({
        tool,
        written: countTokens({ name: tool, arguments: args }),
        read: countTokens(`${result.text} ${linked}`),
      });
      return result;
    },
    reset: () => {
      calls = [];
    },
    close: () => client.close(),
  };
}

type Content = { type: string; text?: string; uri?: string; name?: string };

function read(result: unknown): ToolResult {
  const { content, isError = false } = result as { content: Content[]; isError?: boolean };
  const links = content.flatMap(({ type, uri = "", name = "" }) =>
    type === "resource_link" ? [{ uri, name }] : [],
  );
  return { text: content.map(({ text = "" }) => text).join("\n"), isError, links };
}
