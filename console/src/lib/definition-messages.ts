/** Names of the parts of a tool's definition. */
export const definitionLabels = {
  code: "Code",
  title: "Title",
  description: "Description",
  inputSchema: "Input schema",
  outputSchema: "Output schema",
  fileFields: "File fields",
  credentials: "Credentials",
  allowedHosts: "Allowed hosts",
  dependencies: "npm packages",
  timeoutMs: "Run timeout (ms)",
  limits: "Limits",
  isolation: "Isolation",
  idempotent: "Idempotent",
  confirm: "Confirmation in chats",
  examples: "Examples",
  language: "Language",
} as const;
