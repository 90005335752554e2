import type { JsonObject } from "@toolhost/contract";

/** What the types of a module say of its input and output. */
export type Inference = {
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  /** What the types leave open, or what JSON cannot hold, each with its place. */
  notes: { place: string; message: string }[];
};
