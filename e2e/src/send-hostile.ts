import { randomUUID } from "node:crypto";
import { hostileRequests } from "./hostile-corpus.ts";
import type { HostileRequest } from "./hostile-corpus.ts";
import { hostileOutputs, hostileTools } from "./hostile-tools.ts";
import { hostileDraft } from "./hostile-values.ts";

/** The effect of a request on the service, in milliseconds. */
export type Effect = {
  name: string;
  status: number;
  tookMs: number;
  /** The maximum CPU time of one turn of the event loop. */
  cpuMs: number;
  /** The longest delay of the event loop. */
  delayMs: number;
};

/** A service, and the caller's key. */
export type Target = { baseUrl: string; apiKey: string };

/** Sends a request and returns its status, or 0 if the connection broke. */
export async function sendHostile(
  { baseUrl, apiKey }: Target,
  { method, path, body, headers = {} }: HostileRequest,
): Promise<number> {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(method === "GET" ? {} : { "idempotency-key": randomUUID() }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Sends a request to the idle service, and returns its effect. */
export async function measureHostile(target: Target, request: HostileRequest): Promise<Effect> {
  await readLoop(target);
  const before = performance.now();
  const status = await sendHostile(target, request);
  const tookMs = performance.now() - before;
  // Work after the response counts as well.
  await new Promise((resolve) => setTimeout(resolve, 60));
  return { name: request.name, status, tookMs, ...(await readLoop(target)) };
}

/** The longest turn and delay since the last reading. */
export async function readLoop({ baseUrl }: Target): Promise<{ cpuMs: number; delayMs: number }> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const read = (name: string) =>
    1_000 *
    Number(new RegExp(`^toolhost_event_loop_${name}_max_seconds (\\S+)$`, "m").exec(text)?.[1]);
  return { cpuMs: read("cpu"), delayMs: read("delay") };
}

/**
 * Returns the corpus for this service, after saving the tools that it needs. `matching` selects tools by title and other
 * requests by name.
 */
export async function prepareHostile(
  target: Target,
  { isShort = false, matching = /./ }: { isShort?: boolean; matching?: RegExp } = {},
): Promise<HostileRequest[]> {
  const runs: HostileRequest[] = [];
  const tools = Object.entries(hostileTools).filter(([title]) => matching.test(title));
  for (const [title, { schema, inputs }] of tools) {
    const name = await saveTool(target, { title, schema });
    for (const [what, input] of Object.entries(inputs)) {
      runs.push(...runRequests(name, `${title}, ${what}`, input));
    }
    runs.push(
      { name: `documentation: ${title}`, method: "GET", path: `/api/v1/skill/${name}` },
      { name: `tool: ${title}`, method: "GET", path: `/api/v1/tools/${name}` },
      { name: `types: ${title}`, method: "GET", path: `/api/v1/tools/${name}/types` },
      {
        name: `change: ${title}`,
        method: "PATCH",
        path: `/api/v1/tools/${name}`,
        body: JSON.stringify({ description: "Changed." }),
      },
    );
  }
  for (const [title, output] of Object.entries(hostileOutputs)) {
    if (!matching.test(title)) continue;
    const code = `export default () => ${output};`;
    const name = await saveTool(target, { title, schema: { type: "object" }, code });
    runs.push(...runRequests(name, `output, ${title}`, {}));
  }
  return [...hostileRequests(isShort).filter(({ name }) => matching.test(name)), ...runs];
}

function runRequests(tool: string, about: string, input: unknown): HostileRequest[] {
  const call = { name: "service_execute_tool", arguments: { tool_name: tool, arguments: input } };
  return [
    {
      name: `run: ${about}`,
      method: "POST",
      path: `/api/v1/run/${tool}`,
      body: JSON.stringify(input),
    },
    {
      name: `run by MCP: ${about}`,
      method: "POST",
      path: "/api/mcp",
      headers: { accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    },
  ];
}

async function saveTool(
  { baseUrl, apiKey }: Target,
  { title, schema, code }: { title: string; schema: unknown; code?: string },
): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/tools`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "idempotency-key": randomUUID(),
      "content-type": "application/json",
    },
    body: JSON.stringify({
      ...hostileDraft(schema),
      title: title.slice(0, 80),
      ...(code === undefined ? {} : { source: { language: "javascript", code } }),
    }),
  });
  const text = await answer.text();
  const name = /"name":"([^"]+)"/.exec(text)?.[1];
  if (answer.status !== 201 || name === undefined) {
    throw new Error(`The tool ${title} was answered ${answer.status}: ${text.slice(0, 500)}`);
  }
  return name;
}
