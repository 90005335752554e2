import { sampleInput } from "@toolhost/tool-schema";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { CountingClient, ToolResult } from "./counting-client.ts";

/** The answer of an agent, and the tool that it ran. */
type AgentResult = { toolName: string | undefined; answer: string | undefined };

/** Solves a task in a user's words over MCP. */
export type Agent = (client: CountingClient, words: string) => Promise<AgentResult>;

type Match = { name: string; inputSchema: JsonObject; fileFields: string[] };
type Run = {
  runId: string;
  output: { answer?: string };
  shortened?: { path: string; total: number }[];
  part?: { value: { text: string }[] };
};

/**
 * An agent without a model: it searches with the words of the task, takes the best match, fills in the required
 * arguments by the schema that the search returned, and reads the answer wherever the output has it.
 */
export const scriptedAgent: Agent = async (client, words) => {
  const found = await client.call("service_search_tools", { queries: [words] });
  const { results } = JSON.parse(found.text) as { results: { matches: Match[] }[] };
  const best = results[0]?.matches[0];
  if (best === undefined) return { toolName: undefined, answer: undefined };
  const { name, inputSchema, fileFields } = best;
  const input = sampleInput({ inputSchema, fileFields, examples: [] });
  const ran = await client.call("service_execute_tool", { tool_name: name, arguments: input });
  return { toolName: name, answer: ran.isError ? undefined : await readAnswer(client, ran) };
};

async function readAnswer(client: CountingClient, ran: ToolResult): Promise<string | undefined> {
  const [link] = ran.links;
  if (link !== undefined) return (await fetch(link.uri)).text();
  const run = JSON.parse(ran.text) as Run;
  const [cut] = run.shortened ?? [];
  if (cut === undefined) return run.output.answer;
  const last = { run_id: run.runId, path: cut.path, offset: cut.total - 1 };
  const rest = await client.call("service_check_run", last);
  return (JSON.parse(rest.text) as Run).part?.value[0]?.text;
}
