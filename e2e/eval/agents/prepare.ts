import { randomUUID } from "node:crypto";
import { codeOf } from "./catalog.ts";
import type { EvalTool } from "./catalog.ts";

type Endpoint = { baseUrl: string; apiKey: string };

/** Archives the tools of a workspace, and creates those of the evaluation. Returns them by their names. */
export async function prepareTools(
  endpoint: Endpoint,
  tools: readonly EvalTool[],
): Promise<Map<string, EvalTool>> {
  const existing = (await send(endpoint, "GET", "/tools?limit=200")) as { name: string }[];
  for (const { name } of existing) await send(endpoint, "DELETE", `/tools/${name}`);
  const byName = new Map<string, EvalTool>();
  for (const tool of tools) {
    const { title, description, inputSchema } = tool;
    const source = { language: "javascript", code: codeOf(tool) };
    const draft = { title, description, inputSchema, source };
    const { name } = (await send(endpoint, "POST", "/tools", draft)) as { name: string };
    byName.set(name, tool);
  }
  return byName;
}

async function send(
  { baseUrl, apiKey }: Endpoint,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
