import { z } from "zod";
import { address, whole } from "./config-values.ts";

/** The model that turns texts into vectors, for search by meaning. Without it, search compares words only. */
export const embeddingsSettings = {
  EMBEDDINGS_URL: address.optional().meta({
    description:
      "Server with OpenAI's embeddings API, for [search by meaning](../operate/search-by-meaning.md), which lists what it receives. Without it, search compares words only, and nothing is sent.",
    example: "http://localhost:11434/v1",
  }),
  EMBEDDINGS_MODEL: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "Name of the embedding model.", example: "qwen3-embedding" }),
  EMBEDDINGS_API_KEY: z.string().min(1).optional().describe("Its API key."),
  EMBEDDINGS_TIMEOUT_MS: whole(10, 5_000)
    .default(250)
    .describe(
      "How long a search waits for the meaning of its query. After that, it compares words only.",
    ),
  EMBEDDINGS_QUERY_PREFIX: z
    .string()
    .max(500)
    .default("")
    .meta({ description: "What the model expects before a query.", example: '"search_query: "' }),
  EMBEDDINGS_TOOL_PREFIX: z.string().max(500).default("").meta({
    description: "What the model expects before the text of a tool.",
    example: '"search_document: "',
  }),
};
