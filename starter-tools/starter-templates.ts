/** A minimal template that shows one feature. Its code uses the types that the editor provides. */
export type StarterTemplate = {
  id: string;
  title: string;
  description: string;
  draft: Record<string, unknown>;
};

const blank = `/** The default export is the tool: a function from its input to its output. */
export default async (input: Input, ctx: Context): Promise<Output> => {
  console.log("Greeting", input.name);
  ctx.progress(0.5, "Halfway");
  return { greeting: \`Hello, \${input.name}!\` };
};
`;

const credential = `/** Calls an API with a credential. The code never sees the secret, which is inserted when the request is sent. */
export default async (input: Input, ctx: Context): Promise<Output> => {
  const address = new URL(\`https://api.github.com/repos/\${input.owner}/\${input.repository}\`);
  const response = await fetch(address, {
    headers: {
      accept: "application/vnd.github+json",
      authorization: ctx.authorization.bearer(ctx.credentials.GITHUB_TOKEN),
      "user-agent": "toolhost",
    },
    // Ends the request when the run is cancelled.
    signal: ctx.signal,
  });
  // The message of a thrown error is the result of the run, so it should say what to do.
  if (response.status === 404) throw new Error("The repository does not exist, or the token cannot access it.");
  if (!response.ok) throw new Error(\`GitHub responded with status \${response.status}: \${await response.text()}\`);
  const repository = (await response.json()) as { description: string | null; stargazers_count: number };
  return { description: repository.description ?? "", stars: repository.stargazers_count };
};
`;

const file = `/** Reads a file and creates another. The input contains the file's ID, and so does the output. */
export default async (input: Input, ctx: Context): Promise<Output> => {
  const given = await ctx.files.open(input.document);
  const text = await given.text();
  const lines = text.split(/\\r?\\n/).filter((line) => line.trim() !== "");
  const numbered = lines.map((line, index) => \`\${index + 1}: \${line}\`).join("\\n");
  const saved = await ctx.files.save({
    name: \`numbered-\${given.fileName}\`,
    mimeType: "text/plain",
    body: numbered,
  });
  return { lines: lines.length, document: saved };
};
`;

/** Templates for new tools, simplest first. */
export const starterTemplates: readonly StarterTemplate[] = [
  {
    id: "blank",
    title: "Blank tool",
    description: "One input, one output, and a line in the log.",
    draft: {
      title: "My tool",
      description:
        "Greets a person. Describe here what the tool does, when to use it and when not to.",
      inputSchema: {
        type: "object",
        properties: { name: { type: "string", description: "Whom to greet." } },
        required: ["name"],
        additionalProperties: false,
      },
      outputSchema: {
        properties: [{ name: "greeting", type: "string", description: "The greeting." }],
      },
      source: { language: "typescript", code: blank },
      examples: [{ input: { name: "Ada" }, output: { greeting: "Hello, Ada!" } }],
    },
  },
  {
    id: "api-with-credential",
    title: "Call an API",
    description: "Calls an API with a token that the code never sees.",
    draft: {
      title: "Repository facts",
      description: "Returns the description and the number of stars of a GitHub repository.",
      inputSchema: {
        type: "object",
        properties: {
          owner: {
            type: "string",
            pattern: "^[\\w.-]+$",
            description: "A person or organization.",
          },
          repository: {
            type: "string",
            pattern: "^[\\w.-]+$",
            description: "The repository's name.",
          },
        },
        required: ["owner", "repository"],
        additionalProperties: false,
      },
      outputSchema: {
        properties: [
          { name: "description", type: "string", description: "The repository's description." },
          { name: "stars", type: "integer", description: "Number of stars." },
        ],
      },
      source: { language: "typescript", code: credential },
      credentials: [
        {
          name: "GITHUB_TOKEN",
          description: "A GitHub token with read access to repositories.",
          hosts: ["api.github.com"],
        },
      ],
      allowedHosts: ["api.github.com"],
      timeoutMs: 30_000,
    },
  },
  {
    id: "file-in-file-out",
    title: "Process a file",
    description: "Reads an uploaded file and saves another.",
    draft: {
      title: "Number the lines",
      description: "Numbers the non-empty lines of a text file.",
      inputSchema: {
        type: "object",
        properties: { document: { type: "string", description: "The text file." } },
        required: ["document"],
        additionalProperties: false,
      },
      outputSchema: {
        properties: [
          { name: "lines", type: "integer", description: "Number of non-empty lines." },
          { name: "document", type: "object", description: "The file with line numbers." },
        ],
      },
      fileFields: ["document"],
      source: { language: "typescript", code: file },
      timeoutMs: 30_000,
    },
  },
];
