/** A small tool to begin from, which shows one thing. Its code uses the types that the editor has. */
export type Beginning = {
  id: string;
  title: string;
  description: string;
  draft: Record<string, unknown>;
};

const blank = `/** What is exported by default is the tool: it takes its input and answers its output. */
export default async (input: Input, ctx: Context): Promise<Output> => {
  console.log("Greeting", input.name);
  ctx.progress(0.5, "Half way");
  return { greeting: \`Hello, \${input.name}!\` };
};
`;

const credential = `/** Calls an API with a credential. The code never sees the secret: it is put in on the way to the host. */
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
  // An error that is thrown is the answer of the run, so it should say what to do.
  if (response.status === 404) throw new Error("There is no such repository, or the token may not see it.");
  if (!response.ok) throw new Error(\`GitHub answered \${response.status}: \${await response.text()}\`);
  const repository = (await response.json()) as { description: string | null; stargazers_count: number };
  return { description: repository.description ?? "", stars: repository.stargazers_count };
};
`;

const file = `/** Takes a file and makes another. The input holds the file's id, and so does the output. */
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

/** What new tools are begun from, the plainest first. */
export const beginnings: readonly Beginning[] = [
  {
    id: "blank",
    title: "Blank tool",
    description: "One input, one output, and a line in the log.",
    draft: {
      title: "My tool",
      description: "Greets somebody. Say here what the tool does, when to use it and when not.",
      inputSchema: {
        type: "object",
        properties: { name: { type: "string", description: "Who is greeted." } },
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
    description: "Asks an API with a token that the code never sees.",
    draft: {
      title: "Repository facts",
      description: "Tells what a repository on GitHub says of itself and how many stars it has.",
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
          { name: "description", type: "string", description: "What it says of itself." },
          { name: "stars", type: "integer", description: "How many people starred it." },
        ],
      },
      source: { language: "typescript", code: credential },
      credentials: [
        {
          name: "GITHUB_TOKEN",
          description: "A GitHub token that may read repositories.",
          hosts: ["api.github.com"],
        },
      ],
      allowedHosts: ["api.github.com"],
      timeoutMs: 30_000,
      idempotent: true,
    },
  },
  {
    id: "file-in-file-out",
    title: "Take a file",
    description: "Reads a file that is uploaded and saves another.",
    draft: {
      title: "Number the lines",
      description: "Numbers the lines of a text file, without its empty ones.",
      inputSchema: {
        type: "object",
        properties: { document: { type: "string", description: "The text file." } },
        required: ["document"],
        additionalProperties: false,
      },
      outputSchema: {
        properties: [
          { name: "lines", type: "integer", description: "How many lines have text." },
          { name: "document", type: "object", description: "The file with numbers." },
        ],
      },
      fileFields: ["document"],
      source: { language: "typescript", code: file },
      timeoutMs: 30_000,
      idempotent: true,
    },
  },
];
