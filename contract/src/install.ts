import { z } from "zod";

/** A snippet to copy: a terminal command, or the content of a file. */
const snippet = z.object({
  language: z.enum(["sh", "json"]),
  text: z.string(),
  /** The file that the snippet belongs in. Null for a command. */
  file: z.string().nullable(),
});

/** How to connect one client to the MCP endpoint. */
const installClient = z
  .object({
    id: z.string(),
    name: z.string(),
    /** What the client is: an app to chat in, a code editor, a program of the command line, or any that reads a file. */
    category: z.enum(["chat_app", "editor", "command_line", "configuration_file"]),
    /** Whether the user signs in with a browser or pastes an API key. */
    signIn: z.enum(["browser", "api_key"]),
    /** Instructions in order, without the snippet and the link. */
    steps: z.array(z.string()),
    snippet: snippet.nullable(),
    /** Opens the client or its settings, with the server filled in if the client supports that. */
    link: z.string().nullable(),
  })
  .meta({ id: "InstallClient" });
export type InstallClient = z.infer<typeof installClient>;

/** Response of `GET /install`: how to connect agents to this server. */
export const installInfo = z
  .object({
    /** The MCP URL for clients whose users sign in with a browser. */
    mcpUrl: z.url(),
    /** The MCP URL for clients with an API key. */
    apiKeyUrl: z.url(),
    /** The placeholder for an API key in snippets. */
    apiKeyPlaceholder: z.string(),
    clients: z.array(installClient),
  })
  .meta({ id: "InstallInfo", description: "How to connect agents to this server." });
export type InstallInfo = z.infer<typeof installInfo>;
