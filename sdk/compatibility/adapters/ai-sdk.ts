import { loadTools } from "@toolhost/client/ai-sdk";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { client, report, target } from "./target.ts";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that calls a tool once and then says something. */
async function callTool(toolName: string) {
  let step = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      step += 1;
      const input = JSON.stringify({ n: 21 });
      return {
        content:
          step === 1
            ? [{ type: "tool-call", toolCallId: "1", toolName, input }]
            : [{ type: "text", text: "Done." }],
        finishReason: { unified: step === 1 ? "tool-calls" : "stop", raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
  const tools = await loadTools(client, [toolName]);
  const { steps } = await generateText({ model, tools, prompt: "Go.", stopWhen: isStepCount(3) });
  return { parts: steps.flatMap(({ content }) => content) };
}

const { parts } = await callTool(target.doubler);
const failed = await callTool(target.broken);
const stopped = await callTool(target.confirmed);
report({
  output: parts.find((part) => part.type === "tool-result")?.output,
  failure: String(failed.parts.find((part) => part.type === "tool-error")?.error),
  isConfirmed: stopped.parts.some(({ type }) => type === "tool-approval-request"),
});
