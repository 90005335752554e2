import type { JsonObject, OutputSchema, Skill, ToolExample } from "@toolhost/contract";
import { describeInputs, needsFile, sampleFileId, sampleInput } from "@toolhost/tool-schema";
import type { Caller } from "#core/kernel";
import type { CatalogContext } from "../context.ts";
import { toTimestamp } from "#lib/clock";
import { isJsonObject } from "#lib/json-object";
import { findToolRecord } from "./get-tool.ts";
import { toolUrl } from "./tool.ts";
import type { ToolRecord } from "./tool.ts";

/**
 * The tool's documentation as an Agent Skill (agentskills.io: front matter with `name` and
 * `description`, then Markdown), with its metadata. Throws `tool_not_found`.
 */
export async function getSkill(
  context: CatalogContext,
  caller: Caller,
  name: string,
): Promise<Skill> {
  const record = await findToolRecord(context, caller, name);
  const { definition } = record;
  const { baseUrl, mcpUrl } = context.config;
  return {
    name: record.name,
    title: record.title,
    description: record.description,
    version: record.version,
    documentation: renderSkill(record, { baseUrl, mcpUrl }),
    inputSchema: describeInputs(definition.inputSchema),
    outputSchema: definition.outputSchema,
    fileFields: definition.fileFields,
    confirm: definition.confirm,
    credentials: definition.credentials,
    examples: usableExamples(definition.examples),
    toolUrl: toolUrl(baseUrl, record.name),
    updatedAt: toTimestamp(record.updatedAt),
  };
}

type Addresses = { baseUrl: string; mcpUrl: string };

function renderSkill(record: ToolRecord, addresses: Addresses): string {
  const { definition } = record;
  const input = sampleInput(definition);
  return (
    [
      frontMatter(record),
      `# ${inline(record.title)}\n\n${record.description}`,
      `## Inputs\n\n${renderInputs(definition.inputSchema, definition.fileFields)}`,
      `## Outputs\n\n${renderOutputs(definition.outputSchema)}`,
      ...renderCredentials(definition.credentials),
      renderUsage(record.name, input, addresses),
      ...renderExamples(usableExamples(definition.examples)),
    ].join("\n\n") + "\n"
  );
}

/** YAML front matter. A JSON string is a YAML string too, so hostile text cannot add fields. */
function frontMatter({ name, description }: ToolRecord): string {
  // Skill names contain hyphens instead of underscores, and descriptions have at most 1,024 characters.
  const skillName = name.replaceAll("_", "-");
  const short = description.length > 1_024 ? `${description.slice(0, 1_021)}...` : description;
  return `---\nname: ${skillName}\ndescription: ${JSON.stringify(short)}\n---`;
}

function renderInputs(schema: JsonObject, fileFields: readonly string[]): string {
  const required = new Set(requiredOf(schema));
  const rows = propertiesOf(schema).map(([field, property]) => {
    const isRequired = required.has(field);
    const notes = [
      text(property["description"]),
      Array.isArray(property["enum"]) ? `One of ${JSON.stringify(property["enum"])}.` : "",
      "default" in property ? `Default: ${JSON.stringify(property["default"])}.` : "",
      fileFields.includes(field) ? "ID of an uploaded file." : "",
    ];
    return row([code(field), typeOf(property), isRequired ? "yes" : "no", joined(notes)]);
  });
  if (rows.length === 0) return "This tool takes no inputs: send `{}`.";
  return ["| Field | Type | Required | Description |", "|---|---|---|---|", ...rows].join("\n");
}

function renderOutputs({ properties }: OutputSchema): string {
  if (properties.length === 0) return "The output is a JSON object.";
  const rows = properties.map(({ name, type, description, optional }) =>
    row([code(name), type, joined([description, optional === true ? "May be absent." : ""])]),
  );
  return ["| Field | Type | Description |", "|---|---|---|", ...rows].join("\n");
}

function renderCredentials(
  credentials: readonly { name: string; description: string }[],
): string[] {
  if (credentials.length === 0) return [];
  const lines = credentials.map(
    ({ name, description }) => `- ${code(name)}: ${inline(description)}`,
  );
  return [`## Credentials\n\nConnect these before you run the tool:\n\n${lines.join("\n")}`];
}

/** A shell command substitution. */
const newId = "$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)";

function renderUsage(name: string, input: JsonObject, { baseUrl, mcpUrl }: Addresses): string {
  const body = JSON.stringify(input);
  const url = `${baseUrl}/api/v1/run/${name}`;
  const call = { name: "service_execute_tool", arguments: { tool_name: name, arguments: input } };
  return `## Usage

A finished run returns \`"status": "completed"\` with \`output\`, or \`"status": "failed"\` with \`error\`. A run that
takes longer than the wait returns \`"status": "running"\` with a \`runId\`: poll
\`GET ${baseUrl}/api/v1/runs/{runId}\` for the result.
${needsFile(input) ? renderUpload(baseUrl) : ""}
With curl:

\`\`\`sh
curl -X POST ${url} \\
  -H "Authorization: Bearer $TOOLHOST_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: ${newId}" \\
  -d '${body.replaceAll("'", "'\\''")}'
\`\`\`

With MCP, at \`${mcpUrl}/api/mcp\`, call a tool with:

\`\`\`json
${JSON.stringify(call, null, 2)}
\`\`\`

With TypeScript:

\`\`\`ts
const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.TOOLHOST_API_KEY}\`,
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(),
  },
  body: JSON.stringify(${body}),
});
const run = await response.json();
\`\`\``;
}

function renderUpload(baseUrl: string): string {
  return `
Upload each file first, and replace ${sampleFileId} with the \`fileId\` of the response. With MCP, call
\`service_upload\`; otherwise run:

\`\`\`sh
curl -X POST ${baseUrl}/api/v1/upload \\
  -H "Authorization: Bearer $TOOLHOST_API_KEY" \\
  -H "Idempotency-Key: ${newId}" \\
  -F file=@example.txt
\`\`\`
`;
}

/** Examples that show how to use the tool: those that expect an error do not. */
function usableExamples(examples: readonly ToolExample[]) {
  return examples
    .filter(({ expect }) => expect?.type !== "failure")
    .map(({ input, output }) => ({ input, ...(output === undefined ? {} : { output }) }));
}

function renderExamples(examples: readonly Pick<ToolExample, "input" | "output">[]): string[] {
  if (examples.length === 0) return [];
  const parts = examples.map(({ input, output }) => {
    const shown = output === undefined ? "" : `\n\nOutput:\n\n${jsonBlock(output)}`;
    return `Input:\n\n${jsonBlock(input)}${shown}`;
  });
  return [`## Examples\n\n${parts.join("\n\n")}`];
}

/** The fence is longer than any in the text, so that no value can close it. */
function jsonBlock(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  const longest = Math.max(2, ...[...json.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${json}\n${fence}`;
}

function propertiesOf(schema: JsonObject): [string, JsonObject][] {
  const properties = schema["properties"];
  return isJsonObject(properties)
    ? Object.entries(properties).filter((entry): entry is [string, JsonObject] =>
        isJsonObject(entry[1]),
      )
    : [];
}

function requiredOf(schema: JsonObject): string[] {
  const required = schema["required"];
  return Array.isArray(required) ? required.filter((field) => typeof field === "string") : [];
}

function typeOf(property: JsonObject): string {
  const type = property["type"];
  if (typeof type === "string") return type;
  return Array.isArray(type) ? type.map(text).join(" or ") : "any";
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function joined(notes: readonly string[]): string {
  return notes.filter((note) => note !== "").join(" ");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => inline(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

function inline(value: string): string {
  return value.replace(/\s+/g, " ").trim();
}

function code(value: string): string {
  return `\`${value.replaceAll("`", "'")}\``;
}
