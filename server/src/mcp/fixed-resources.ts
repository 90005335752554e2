import type { JsonObject } from "@toolhost/contract";
import type { Context } from "#core/context";
import { readToolRunner, toolRunner } from "./tool-runner.ts";

/** A resource that is the same for everybody. */
type FixedResource = {
  /** As lists show it, with its `uri`. */
  listed: JsonObject;
  /** One item of `contents`. */
  read: (context: Context) => Promise<JsonObject> | JsonObject;
};

/** What there is beside the documentation of tools. */
export const fixedResources: readonly FixedResource[] = [
  { listed: toolRunner, read: readToolRunner },
];
