import { Agent } from "@mastra/core/agent";
import { loadTools } from "@toolhost/client/mastra";
import { client, report, target } from "./target.ts";

const tools = await loadTools(client, [target.doubler, target.broken, target.confirmed]);
// The agent accepts the tools as its own.
const agent = new Agent({
  id: "tester",
  name: "Tester",
  instructions: "",
  model: "openai/gpt-5",
  tools,
});
const call = async (name: string, input: object) => {
  const tool = (await agent.listTools())[name];
  if (tool?.execute === undefined) throw new Error("a tool is missing");
  return tool.execute(input, {});
};

report({
  output: await call(target.doubler, { n: 21 }),
  failure: await call(target.broken, {}).then(JSON.stringify, String),
  isConfirmed: tools[target.confirmed]?.requireApproval === true,
});
