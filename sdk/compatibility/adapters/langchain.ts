import { loadTools } from "@toolhost/client/langchain";
import { client, report, target } from "./target.ts";

const [doubler] = await loadTools(client, { search: "double a number", limit: 1 });
const [broken] = await loadTools(client, [target.broken]);
const [confirmed] = await loadTools(client, [target.confirmed]);
if (doubler === undefined || broken === undefined) throw new Error("a tool is missing");
const call = { type: "tool_call", id: "1" } as const;
const message = await doubler.invoke({ ...call, name: doubler.name, args: { n: 21 } });
report({
  output: JSON.parse(String(message.content)),
  failure: await broken.invoke({}).then(String, String),
  isConfirmed: confirmed?.metadata?.["confirm"] === true,
});
