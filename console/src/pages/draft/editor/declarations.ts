import type { JsonObject } from "@toolhost/contract";
import { toolTypes } from "@toolhost/ui";
import { objectAt } from "../definition/read.ts";

/**
 * What the code of a tool may name without an import: `Input`, `Output`, `Context`, and as `any` what it imports: the types of npm
 * packages are not at hand here. Those of Node come by themselves (`node-types.ts`) and then count before the `any`.
 */
export function declarationsOf(definition: JsonObject): string {
  const packages = Object.keys(objectAt(objectAt(definition, "source"), "dependencies"));
  const modules = ["node:*", ...packages, ...packages.map((name) => `${name}/*`)];
  return [
    toolTypes(definition),
    ...modules.map((name) => `declare module ${JSON.stringify(name)};`),
  ].join("\n");
}
