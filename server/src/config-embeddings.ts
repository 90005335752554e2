import { z } from "zod";
import { address, whole } from "./config-values.ts";

/** The model that turns texts into vectors, for search by meaning. Without it, search compares words only. */
export const embeddingsSettings = {
  EMBEDDINGS_URL: address.optional(),
  EMBEDDINGS_MODEL: z.string().min(1).max(200).optional(),
  EMBEDDINGS_API_KEY: z.string().min(1).optional(),
  EMBEDDINGS_TIMEOUT_MS: whole(10, 5_000).default(250),
  EMBEDDINGS_QUERY_PREFIX: z.string().max(500).default(""),
  EMBEDDINGS_TOOL_PREFIX: z.string().max(500).default(""),
};
