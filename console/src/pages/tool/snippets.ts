import type { JsonObject } from "@toolhost/contract";
import { needsFile, sampleFileId } from "@toolhost/tool-schema";

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

const fileText = JSON.stringify(sampleFileId);
const newId = `$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)`;

/**
 * A line for a terminal that runs the tool as it is pasted, after one that sends a file where the tool takes one. Each time it
 * is pasted is a run of its own.
 */
export function curlSnippet({ origin, name, input, key }: Use): string {
  const post = (path: string) => [
    `curl -s -X POST ${quoted(`${origin}/api/v1${path}`)}`,
    `-H "Authorization: Bearer ${key ?? `$${keyVariable}`}"`,
  ];
  const id = `-H "Idempotency-Key: ${newId}"`;
  const body = quoted(JSON.stringify(input)).replaceAll(fileText, `"'"$FILE_ID"'"`);
  const run = inLines([
    ...post(`/run/${name}`),
    `-H 'Content-Type: application/json'`,
    id,
    `-d ${body}`,
  ]);
  if (!needsFile(input)) return run;
  const upload = inLines([...post("/upload"), id, "-F 'file=@example.txt'"]);
  const findId = String.raw`sed -n 's/.*"fileId":"\([^"]*\)".*/\1/p'`;
  return `FILE_ID=$(${upload} | ${findId})\n${run}`;
}

function inLines(parts: readonly string[]): string {
  return parts.join(" \\\n  ");
}

/** The same in TypeScript, for Node, Deno, Bun and browsers that may ask the service. */
export function fetchSnippet({ origin, name, input, key }: Use): string {
  const bearer =
    key === undefined
      ? `\`Bearer \${process.env.${keyVariable}}\``
      : JSON.stringify(`Bearer ${key}`);
  const body = JSON.stringify(input, null, 2)
    .replaceAll("\n", "\n  ")
    .replaceAll(fileText, "fileId");
  const upload = `const form = new FormData();
form.append("file", new File(["Hello"], "example.txt", { type: "text/plain" }));
const sent = await fetch(${JSON.stringify(`${origin}/api/v1/upload`)}, {
  method: "POST",
  headers: { authorization: ${bearer}, "idempotency-key": crypto.randomUUID() },
  body: form,
});
if (!sent.ok) throw new Error(await sent.text());
const { fileId } = await sent.json();

`;
  return `${needsFile(input) ? upload : ""}const response = await fetch(${JSON.stringify(`${origin}/api/v1/run/${name}`)}, {
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
