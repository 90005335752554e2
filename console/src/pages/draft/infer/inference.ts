import type { JsonObject } from "@toolhost/contract";

/** The schemas inferred from the types of a module. */
export type Inference = {
  inputSchema?: JsonObject;
  /** The input schema has what the code reads, which may not be all. */
  isInputFromUses?: boolean;
  outputSchema?: JsonObject;
  /** What the types leave open or JSON cannot represent, with its path. */
  notes: { path: string; message: string }[];
};
