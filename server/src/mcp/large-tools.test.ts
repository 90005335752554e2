import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const code = "export default () => ({})";
const properties = Object.fromEntries(
  Array.from({ length: 1_900 }, (_, at) => [
    `field_${at}`,
    { type: "string", description: "An invoice. ".repeat(16) },
  ]),
);

let test: TestService;
let small: string;
const large: string[] = [];
beforeAll(async () => {
  test = await startTestService();
  small = await test.makeTool(code, { title: "Bills", description: "Prints an invoice." });
  for (let at = 0; at < 6; at += 1) {
    const rest = { title: `Invoice ${at}`, description: "Prints an invoice." };
    large.push(await test.makeTool(code, { ...rest, inputSchema: { type: "object", properties } }));
  }
});
afterAll(() => test?.stop());

async function call(name: string, args: object): Promise<string> {
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  };
  const response = await fetch(`${test.baseUrl}/api/mcp?results=text`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${test.apiKey}`,
    },
    body: JSON.stringify(message),
  });
  const { result } = (await response.json()) as { result: { content: [{ text: string }] } };
  return result.content[0].text;
}

it("outlines tools with large schemas in a search of many matches, and leaves out no other", async () => {
  const text = await call("service_search_tools", { queries: ["invoice"], limit: 20 });
  expect(text.length).toBeLessThan(50_000);
  expect(text).toContain(`"name":"${small}"`);
});

it("shortens the documentation of tools with large schemas, and says so", async () => {
  const text = await call("service_get_skill", { tool_names: [...large, small] });
  expect(text.length).toBeLessThan(200_000);
  expect(text).toContain(`Too long, so shortened: ${large.join(", ")}.`);
  expect(text).toContain(`/api/v1/run/${small}`);
  expect(await call("service_get_skill", { tool_names: [small] })).not.toContain("shortened");
});
