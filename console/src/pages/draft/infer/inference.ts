import type { JsonObject } from "@toolhost/contract";

/** The schemas inferred from the types of a module. */
export type Inference = {
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  /** What the types leave open or JSON cannot represent, with its path. */
  notes: { path: string; message: string }[];
};
