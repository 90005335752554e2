import type { JsonObject } from "@toolhost/contract";
import type { Context } from "#core/context";
import { readToolRunner, toolRunner } from "./tool-runner.ts";

/** A resource that is the same for all callers. */
type FixedResource = {
  /** Its entry in `resources/list`, with its `uri`. */
  listed: JsonObject;
  /** One item of `contents`. */
  read: (context: Context) => Promise<JsonObject> | JsonObject;
};

/** All resources except the documentation of tools and images. */
export const fixedResources: readonly FixedResource[] = [
  { listed: toolRunner, read: readToolRunner },
];
