import type { JsonObject } from "@toolhost/contract";
import { needsFile, sampleFileId } from "@toolhost/tool-schema";
import { continueLines, keyVariable, newIdExpression, quoteForShell } from "#lib/snippet-parts";

type SnippetInput = {
  /** The base URL of the service, without a trailing slash. */
  origin: string;
  name: string;
  input: JsonObject;
  /** A newly created key; when undefined, the variable is used. */
  key: string | undefined;
};

const fileText = JSON.stringify(sampleFileId);

/** A shell command that runs the tool, preceded by a file upload where the tool takes a file. Each paste starts a separate run. */
export function curlSnippet({ origin, name, input, key }: SnippetInput): string {
  const post = (path: string) => [
    `curl -s -X POST ${quoteForShell(`${origin}/api/v1${path}`)}`,
    `-H "Authorization: Bearer ${key ?? `$${keyVariable}`}"`,
  ];
  const id = `-H "Idempotency-Key: ${newIdExpression}"`;
  const body = quoteForShell(JSON.stringify(input)).replaceAll(fileText, `"'"$FILE_ID"'"`);
  const run = continueLines([
    ...post(`/run/${name}`),
    `-H 'Content-Type: application/json'`,
    id,
    `-d ${body}`,
  ]);
  if (!needsFile(input)) return run;
  const upload = continueLines([...post("/upload"), id, "-F 'file=@example.txt'"]);
  const findId = String.raw`sed -n 's/.*"fileId":"\([^"]*\)".*/\1/p'`;
  return `FILE_ID=$(${upload} | ${findId})\n${run}`;
}

/** The same request in TypeScript, for Node.js, Deno, Bun and browsers. */
export function fetchSnippet({ origin, name, input, key }: SnippetInput): string {
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

/** The MCP call with which an agent runs the tool. */
export function mcpCallSnippet({ name, input }: SnippetInput): string {
  const call = { name: "service_execute_tool", arguments: { tool_name: name, arguments: input } };
  return JSON.stringify(call, null, 2);
}

/** The configuration that most MCP clients accept. */
export function mcpConfigSnippet(url: string, key: string | undefined): string {
  const headers = { Authorization: `Bearer ${key ?? "YOUR_API_KEY"}` };
  return JSON.stringify({ mcpServers: { toolhost: { type: "http", url, headers } } }, null, 2);
}
