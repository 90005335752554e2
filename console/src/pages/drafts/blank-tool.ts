import type { JsonObject } from "@toolhost/contract";

const code = `/** What is said here is for whoever reads the code. */
export default async function run(input: Input, ctx: Context): Promise<Output> {
  return { greeting: \`Hello, \${input.name}\` };
}
`;

/** The least that runs. */
export const blankTool: JsonObject = {
  title: "New tool",
  description: "Greets somebody by name.",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string", description: "Whom to greet." } },
    required: ["name"],
    additionalProperties: false,
  },
  outputSchema: {
    properties: [{ name: "greeting", type: "string", description: "The greeting." }],
  },
  source: { language: "typescript", code },
};
