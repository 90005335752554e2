import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as contract from "@toolhost/contract";
import { z } from "zod";
import { routes } from "./index.ts";
import { installPath } from "./install.ts";
import type { Route } from "./route.ts";

/** The generated file with the types of the REST API, for its clients. */
export const apiTypesFile = join(import.meta.dirname, "../../../contract/src/api.ts");

type Described = Pick<Route, "method" | "path" | "response"> & Partial<Route>;

/** Routes that anyone may call, which are not in the table of routes. */
const publicRoutes: readonly Described[] = [
  { method: "get", path: installPath, response: contract.installInfo },
  { method: "get", path: "/openapi.json", response: contract.jsonObject },
];

/** The TypeScript source of the API's types. Throws for a schema that the contract does not export. */
export function describeApiTypes(): string {
  const imports = new Set<string>();
  const entries = [...routes, ...publicRoutes].map((route) => describeRoute(route, imports));
  const names = [...imports].toSorted().map((name) => `  ${name},\n`);
  return `// Generated from the routes by \`npm run generate:api\`. Do not edit.
// oxlint-disable max-lines -- it grows with the routes
import type { z } from "zod";
import type {
${names.join("")}} from "./index.ts";

/** Requests and responses of each route below \`/api/v1\`. The response is \`never\` where it is not JSON. */
export type Api = {
${entries.join("")}};
`;
}

function describeRoute(route: Described, imports: Set<string>): string {
  const { params, query, body } = route;
  const input = (schema: z.ZodType) => describeInput(schema, imports);
  const isQueryOptional = query?.safeParse({}).success === true;
  const members = [
    ...(params === undefined ? [] : [`params: ${describeParams(params)}`]),
    ...(query === undefined ? [] : [`query${isQueryOptional ? "?" : ""}: ${input(query)}`]),
    ...(body === undefined
      ? []
      : [`body${route.isBodyOptional === true ? "?" : ""}: ${input(body)}${formOf(route)}`]),
    `response: ${describeResponse(route, imports)}`,
  ];
  const name = `  "${route.method.toUpperCase()} ${route.path}": {`;
  const line = `${name} ${members.join("; ")} };\n`;
  if (line.length <= 101) return line;
  return `${name}\n${members.map((member) => `    ${member};\n`).join("")}  };\n`;
}

function describeParams({ shape }: z.ZodObject): string {
  const members = Object.entries(shape).map(
    ([name, schema]) => `${name}: ${schema instanceof z.ZodNumber ? "number" : "string"}`,
  );
  return `{ ${members.join("; ")} }`;
}

/** What a client sends: without defaults, before conversions. */
function describeInput(schema: z.ZodType, imports: Set<string>): string {
  if (schema instanceof z.ZodUnknown) return "unknown";
  if (schema instanceof z.ZodDefault) return describeInput(schema.unwrap() as z.ZodType, imports);
  const name = exportName(schema);
  imports.add(name);
  return `z.input<typeof ${name}>`;
}

function formOf({ otherBodies = {} }: Described): string {
  return "multipart/form-data" in otherBodies ? " | FormData" : "";
}

function describeResponse(route: Described, imports: Set<string>): string {
  if (route.isBinary === true || route.textMediaType !== undefined) return "never";
  if (route.response === null) return "undefined";
  return describeOutput(route.response, imports);
}

/** The type that the contract exports with a schema: `Tool` with `tool`. */
function describeOutput(schema: z.ZodType, imports: Set<string>): string {
  if (schema instanceof z.ZodArray) {
    return `${describeOutput(schema.element as z.ZodType, imports)}[]`;
  }
  const name = exportName(schema).replace(/^./, (first) => first.toUpperCase());
  imports.add(name);
  return name;
}

const exportNames = new Map<unknown, string>(
  Object.entries(contract).map(([name, value]) => [value, name]),
);

function exportName(schema: z.ZodType): string {
  const name = exportNames.get(schema);
  if (name !== undefined) return name;
  const shown = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: "any" })).slice(0, 200);
  throw new Error(`The contract does not export this schema: ${shown}`);
}

if (import.meta.main) writeFileSync(apiTypesFile, describeApiTypes());
