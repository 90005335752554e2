import type { JsonObject } from "@toolhost/contract";

/** Stands where a key belongs, as in the tool's documentation. */
export const keyVariable = "TOOLHOST_API_KEY";

type Use = {
  /** Where the service is, without a slash at its end. */
  origin: string;
  name: string;
  input: JsonObject;
  /** A key that was just made; without it the variable stands in its place. */
  key: string | undefined;
};

/** A line for a terminal that runs the tool as it is pasted. Each time it is pasted is a run of its own. */
export function curlSnippet({ origin, name, input, key }: Use): string {
  const newId = `$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)`;
  return [
    `curl -s -X POST ${quoted(`${origin}/api/v1/run/${name}`)}`,
    `-H "Authorization: Bearer ${key ?? `$${keyVariable}`}"`,
    `-H 'Content-Type: application/json'`,
    `-H "Idempotency-Key: ${newId}"`,
    `-d ${quoted(JSON.stringify(input))}`,
  ].join(" \\\n  ");
}

/** The same in TypeScript, for Node, Deno, Bun and browsers that may ask the service. */
export function fetchSnippet({ origin, name, input, key }: Use): string {
  const bearer =
    key === undefined
      ? `\`Bearer \${process.env.${keyVariable}}\``
      : JSON.stringify(`Bearer ${key}`);
  const body = JSON.stringify(input, null, 2).replaceAll("\n", "\n  ");
  return `const response = await fetch(${JSON.stringify(`${origin}/api/v1/run/${name}`)}, {
  method: "POST",
  headers: {
    authorization: ${bearer},
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(),
  },
  body: JSON.stringify(${body}),
});
if (!response.ok) throw new Error(await response.text());
const run = await response.json();
if (run.status === "completed") console.log(run.output);
else console.log(run.status, run.error ?? run.runId);`;
}

/** What an agent sends to run the tool. */
export function mcpCallSnippet({ name, input }: Use): string {
  const call = { name: "service_execute_tool", arguments: { tool_name: name, arguments: input } };
  return JSON.stringify(call, null, 2);
}

/** What most MCP clients take in their settings. */
export function mcpConfigSnippet(url: string, key: string | undefined): string {
  const headers = { Authorization: `Bearer ${key ?? "YOUR_API_KEY"}` };
  return JSON.stringify({ mcpServers: { toolhost: { type: "http", url, headers } } }, null, 2);
}

/** A word that a POSIX shell takes as it is, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
