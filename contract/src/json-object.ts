import { z } from "zod";

export type JsonObject = { [name: string]: z.infer<ReturnType<typeof z.json>> };

/** A JSON object. Its values are not validated again: they were parsed from JSON, and checking them takes longer. */
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.any());
