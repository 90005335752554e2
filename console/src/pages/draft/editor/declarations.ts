import type { JsonObject } from "@toolhost/contract";
import { toolTypes } from "@toolhost/tool-schema";
import { dependenciesOf } from "../definition/read-definition.ts";

/**
 * Declares what the code of a tool can use without an import (`Input`, `Output`, `Context`), and declares imports without types as
 * `any`. `typed` lists the packages that have types. The types of Node.js are added separately (`node-types.ts`) and take precedence.
 */
export function declarationsOf(definition: JsonObject, typed: readonly string[]): string {
  const packages = Object.keys(dependenciesOf(definition)).filter((name) => !typed.includes(name));
  const modules = ["node:*", ...packages, ...packages.map((name) => `${name}/*`)];
  return [
    toolTypes(definition),
    ...modules.map((name) => `declare module ${JSON.stringify(name)};`),
  ].join("\n");
}
