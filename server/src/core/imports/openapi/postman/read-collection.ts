import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { documentLimits } from "../limits.ts";
import { createSchemes, readAuth } from "./read-auth.ts";
import type { CollectionParts } from "./read-auth.ts";
import { listOmissions } from "./list-omissions.ts";
import { mergeOperations } from "./merge-operations.ts";
import { readRequest } from "./read-request.ts";
import { descriptionOf, listOf, membersWithoutSecrets, nameOf, readVariables } from "./values.ts";

/** A collection of Postman in format 2.0 or 2.1, which may be wrapped as by its API; undefined for another document. */
export function findCollection(root: JsonObject): JsonObject | undefined {
  const collection = own(root, "collection");
  const found = isObject(collection) ? collection : root;
  const info = own(found, "info");
  if (!isObject(info) || !Array.isArray(own(found, "item"))) return undefined;
  const schema = textAt(info, "schema") ?? "";
  return /postman\.com\/.*\/v2\./.test(schema) || Object.hasOwn(info, "_postman_id")
    ? found
    : undefined;
}

export function collectionFormat(collection: JsonObject): "postman-2.0" | "postman-2.1" {
  const info = own(collection, "info");
  const schema = isObject(info) ? (textAt(info, "schema") ?? "") : "";
  return schema.includes("/v2.0") ? "postman-2.0" : "postman-2.1";
}

type Folder = { tags: string[]; security: string | undefined };

/**
 * A collection as a document of OpenAPI 3.1. Nothing but names, structures and harmless examples are copied: no scripts, and no
 * values of authentication, of secret headers or of secret variables. `omissions` says which.
 */
export function convertCollection(original: JsonObject): {
  document: JsonObject;
  omissions: string[];
} {
  const collection = membersWithoutSecrets(original);
  return { document: documentOf(collection), omissions: listOmissions(collection) };
}

function documentOf(collection: JsonObject): JsonObject {
  const parts = { schemes: createSchemes(), variables: readVariables(collection) };
  const paths = new Map<string, Map<string, JsonObject>>();
  const servers = new Map<string, number>();
  let count = 0;
  const visit = (items: readonly JsonObject[], folder: Folder): void => {
    for (const item of items) {
      const security = securityOf(item, parts, folder.security);
      if (Array.isArray(own(item, "item"))) {
        const tags = [...folder.tags, nameOf(item)];
        visit(listOf(own(item, "item")), { tags, security });
        continue;
      }
      if (count >= documentLimits.operations) return;
      count += 1;
      const request = readRequest(item, parts, { tags: folder.tags, security });
      if (request === undefined) continue;
      const { method, path, operation, server } = request;
      servers.set(server, (servers.get(server) ?? 0) + 1);
      const methods = paths.get(path) ?? new Map<string, JsonObject>();
      paths.set(path, methods);
      const known = methods.get(method);
      const described = server === "" ? operation : { ...operation, servers: [{ url: server }] };
      methods.set(method, known === undefined ? described : mergeOperations(known, described));
    }
  };
  visit(listOf(own(collection, "item")), {
    tags: [],
    security: securityOf(collection, parts, undefined),
  });
  const all = [...servers].filter(([url]) => url !== "").toSorted(([, a], [, b]) => b - a);
  const [usual] = all.map(([url]) => url);
  return {
    openapi: "3.1.1",
    info: infoOf(collection),
    ...(all.length === 0 ? {} : { servers: all.slice(0, 20).map(([url]) => ({ url })) }),
    paths: Object.fromEntries([...paths].map(([path, methods]) => [path, itemOf(methods, usual)])),
    components: { securitySchemes: parts.schemes.all() },
  };
}

function securityOf(
  holder: JsonObject,
  { schemes, variables }: CollectionParts,
  inherited: string | undefined,
): string | undefined {
  const request = own(holder, "request");
  const auth = own(isObject(request) ? request : holder, "auth");
  return isObject(auth) ? readAuth(auth, schemes, variables) : inherited;
}

const known = new Set(["get", "head", "post", "put", "patch", "delete", "query", "trace"]);

/** Operations whose server is the usual one do not name it. */
function itemOf(methods: ReadonlyMap<string, JsonObject>, usual: string | undefined): JsonObject {
  const entries = [...methods].map(([method, { servers, ...operation }]): [string, JsonObject] => {
    const [server] = listOf(servers);
    const isUsual = server === undefined || textAt(server, "url") === usual;
    return [method, isUsual ? operation : { ...operation, servers: [server] }];
  });
  const others = entries.filter(([method]) => !known.has(method));
  return {
    ...Object.fromEntries(entries.filter(([method]) => known.has(method))),
    ...(others.length === 0
      ? {}
      : {
          additionalOperations: Object.fromEntries(
            others.map(([method, operation]) => [method.toUpperCase(), operation]),
          ),
        }),
  };
}

function infoOf(collection: JsonObject): JsonObject {
  const info = own(collection, "info");
  const about = isObject(info) ? info : {};
  return {
    title: textAt(about, "name") ?? "",
    version: versionOf(own(about, "version")),
    description: descriptionOf(about),
  };
}

function versionOf(version: Json | undefined): string {
  if (!isObject(version)) return typeof version === "string" ? version : "";
  return ["major", "minor", "patch"]
    .map((name) => JSON.stringify(own(version, name) ?? 0))
    .join(".");
}
