import { Agent, Runner, Usage } from "@openai/agents";
import type { Model } from "@openai/agents";
import { loadTools } from "@toolhost/client/openai-agents";
import { client, report, target } from "./target.ts";

/** A model that calls a tool once and then says something. */
function modelThatCalls(name: string): Model {
  let step = 0;
  return {
    getResponse: async () => {
      step += 1;
      return {
        usage: new Usage(),
        output:
          step === 1
            ? [
                {
                  type: "function_call",
                  callId: "1",
                  name,
                  arguments: '{"n":21}',
                  status: "completed",
                },
              ]
            : [
                {
                  type: "message",
                  role: "assistant",
                  status: "completed",
                  content: [{ type: "output_text", text: "Done." }],
                },
              ],
      };
    },
    getStreamedResponse: () => {
      throw new Error("not used");
    },
  };
}

async function callTool(name: string) {
  const tools = await loadTools(client, [name]);
  const agent = new Agent({ name: "Tester", model: modelThatCalls(name), tools });
  return new Runner({ tracingDisabled: true }).run(agent, "Go.");
}

/** The output of the tool as the model reads it. */
function outputOf({ newItems }: Awaited<ReturnType<typeof callTool>>): string {
  const item = newItems.find(({ type }) => type === "tool_call_output_item");
  return item?.type === "tool_call_output_item" ? JSON.stringify(item.output) : "";
}

report({
  output: JSON.parse(outputOf(await callTool(target.doubler))) as unknown,
  failure: outputOf(await callTool(target.broken)),
  isConfirmed: (await callTool(target.confirmed)).interruptions.length === 1,
});
