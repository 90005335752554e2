import type { JsonObject } from "@toolhost/contract";
import { toolTypes } from "@toolhost/tool-schema";
import { dependenciesOf } from "../definition/read-definition.ts";

/**
 * What the code of a tool may name without an import: `Input`, `Output`, `Context`, and as `any` what it imports and has no types
 * at hand (`typed` are the packages that have). Those of Node come by themselves (`node-types.ts`) and then count before the `any`.
 */
export function declarationsOf(definition: JsonObject, typed: readonly string[]): string {
  const packages = Object.keys(dependenciesOf(definition)).filter((name) => !typed.includes(name));
  const modules = ["node:*", ...packages, ...packages.map((name) => `${name}/*`)];
  return [
    toolTypes(definition),
    ...modules.map((name) => `declare module ${JSON.stringify(name)};`),
  ].join("\n");
}
