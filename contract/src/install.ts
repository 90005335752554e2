import { z } from "zod";

/** Something to paste: a command for a terminal, or what goes into a file. */
const snippet = z.object({
  language: z.enum(["sh", "json"]),
  text: z.string(),
  /** The file that it goes into; null for a command. */
  file: z.string().nullable(),
});

/** How one client is connected to the MCP endpoint. */
const installClient = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Whether its user signs in with a browser, or a key is pasted. */
    signIn: z.enum(["browser", "api_key"]),
    /** What the user does, in order; the snippet and the link stand for themselves. */
    steps: z.array(z.string()),
    snippet: snippet.nullable(),
    /** Opens the client, or its settings, with the server filled in where the client can do that. */
    link: z.string().nullable(),
  })
  .meta({ id: "InstallClient" });
export type InstallClient = z.infer<typeof installClient>;

/** Answer of `GET /install`: how agents are connected to this server. */
export const installInfo = z
  .object({
    /** Where clients connect whose users sign in with a browser. */
    mcpUrl: z.url(),
    /** Where clients connect with an API key. */
    apiKeyUrl: z.url(),
    /** Stands in snippets where a key belongs. */
    apiKeyPlaceholder: z.string(),
    clients: z.array(installClient),
  })
  .meta({ id: "InstallInfo", description: "How agents are connected to this server." });
export type InstallInfo = z.infer<typeof installInfo>;
