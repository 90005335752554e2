import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { declareTypes } from "@toolhost/tool-schema/types";
import { routes } from "./index.ts";
import { describeApi } from "./openapi.ts";

/** The generated file with the types of the published client, which contains no zod. */
export const clientTypesFile = join(import.meta.dirname, "../../../sdk/src/api.ts");

const methods = new Set(["get", "post", "put", "patch", "delete"]);

/** The TypeScript source of the types of the OpenAPI document: one per component, and `Api` with all routes. */
export function describeClientTypes(): string {
  const { paths, components } = describeApi(routes, "https://toolhost.example") as {
    paths: JsonObject;
  } & {
    components: { schemas: JsonObject };
  };
  const operations = Object.entries(paths).flatMap(([path, operationsOfPath]) =>
    Object.entries(operationsOfPath as JsonObject)
      .filter(([method]) => methods.has(method))
      .filter(([, operation]) => !isAuthorizedByPath(path, operation as JsonObject))
      .map(([method, operation]): [string, Json] => [
        `${method.toUpperCase()} ${path}`,
        describeOperation(operation as JsonObject),
      ]),
  );
  const api = object(operations, {
    description: "The request and the response of each route. A response is `never` if not JSON.",
  });
  const named = new Map<Json, string>([
    [api, "Api"],
    ...Object.entries(components.schemas).map(([name, schema]): [Json, string] => [schema, name]),
  ]);
  const types = declareTypes({ components }, named, { prefix: "Schema" });
  return `// Generated from the routes by \`npm run generate:api\`. Do not edit.
// oxlint-disable max-lines -- it grows with the routes

${types.map((type) => type.replace(/^type /m, "export type ")).join("\n\n")}
`;
}

/** Whether a token in the path replaces the key. The API returns such URLs as a whole. */
function isAuthorizedByPath(path: string, { security }: JsonObject): boolean {
  return path.includes("{token}") && Array.isArray(security) && security.length === 0;
}

function describeOperation(operation: JsonObject): JsonObject {
  const parameters = (operation["parameters"] ?? []) as Parameter[];
  const requestBody = operation["requestBody"] as JsonObject | undefined;
  const body = isObject(requestBody) ? jsonSchemaOf(requestBody) : undefined;
  const isBodyRequired = requestBody?.["required"] === true;
  const query = parametersIn(parameters, "query");
  const members: [string, Json, boolean][] = [
    ...optional("params", parametersIn(parameters, "path"), true),
    ...optional("query", query, Array.isArray(query?.["required"]) && query["required"].length > 0),
    ...optional("body", body, isBodyRequired),
    ...optional("response", responseOf(operation), true),
  ];
  const required = members.flatMap(([name, , isRequired]) => (isRequired ? [name] : []));
  return object(
    members.map(([name, schema]): [string, Json] => [name, schema]),
    { required },
  );
}

type Parameter = JsonObject & { name: string; in: string; required: boolean; schema: JsonObject };

function parametersIn(parameters: readonly Parameter[], place: string): JsonObject | undefined {
  const found = parameters.filter((parameter) => parameter.in === place);
  if (found.length === 0) return undefined;
  return object(
    found.map(({ name, description, schema }): [string, Json] => [
      name,
      description === undefined ? schema : { ...schema, description },
    ]),
    { required: found.filter(({ required }) => required).map(({ name }) => name) },
  );
}

/** The schema of the successful response: none without a body, and `false` for one that is not JSON. */
function responseOf({ responses }: JsonObject): Json | undefined {
  const [success] =
    Object.entries(responses as JsonObject).find(([status]) => status.startsWith("2")) ?? [];
  const response = success === undefined ? {} : (responses as JsonObject)[success];
  return isObject(response) && isObject(response["content"])
    ? (jsonSchemaOf(response) ?? false)
    : undefined;
}

function jsonSchemaOf({ content }: JsonObject): Json | undefined {
  const media = isObject(content) ? content["application/json"] : undefined;
  return isObject(media) ? media["schema"] : undefined;
}

function optional(
  name: string,
  schema: Json | undefined,
  isRequired: boolean,
): [string, Json, boolean][] {
  return schema === undefined ? [] : [[name, schema, isRequired]];
}

function object(properties: readonly [string, Json][], more: JsonObject = {}): JsonObject {
  const required = properties.map(([name]) => name);
  return { type: "object", properties: Object.fromEntries(properties), required, ...more };
}

if (import.meta.main) writeFileSync(clientTypesFile, describeClientTypes());
