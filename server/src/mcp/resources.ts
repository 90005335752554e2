import type { JsonObject } from "@toolhost/contract";
import { requireScope } from "#core/identity";
import { ServiceError } from "#core/kernel";
import { getSkill, getToolList } from "#core/catalog";
import { isId } from "#lib/ids";
import { fixedResources } from "./fixed-resources.ts";
import { imageScheme, readImage } from "./image-resource.ts";
import { cacheHints } from "./revisions.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import type { McpRequest } from "./surface.ts";

const scheme = "tool://";
const pageSize = 100;
const mimeType = "text/markdown";

/** `resources/list`: the fixed resources on the first page, then the documentation of each tool. */
export async function listResources({ context, caller, params }: McpRequest): Promise<JsonObject> {
  const after = toolIdOf(params["cursor"]);
  requireScope(caller, "mcp:read");
  const page = { limit: pageSize, after, text: undefined };
  const { tools, next } = await getToolList(context, caller, page);
  const documents = tools.map(({ name, title, description, updatedAt }) => ({
    uri: `${scheme}${name}`,
    name,
    title,
    description,
    mimeType,
    annotations: { lastModified: updatedAt },
  }));
  const fixed = after === undefined ? fixedResources.map(({ listed }) => listed) : [];
  const nextCursor =
    next === undefined ? {} : { nextCursor: Buffer.from(next).toString("base64url") };
  return { resources: [...fixed, ...documents], ...nextCursor, ...cacheHints.own };
}

/** `resources/templates/list` */
export function listResourceTemplates(): JsonObject {
  const template = {
    uriTemplate: `${scheme}{tool_name}`,
    name: "tool",
    title: "Tool documentation",
    description: "How to use a tool: purpose, inputs, outputs and examples.",
    mimeType,
  };
  const image = {
    uriTemplate: `${imageScheme}{file_id}`,
    name: "image",
    title: "Image",
    description: "An image of up to 2 MB that a tool saved or a user uploaded, by its fileId.",
  };
  return { resourceTemplates: [template, image], ...cacheHints.fixed };
}

/** `resources/read` */
export async function readResource(request: McpRequest): Promise<JsonObject> {
  const { context, caller, params } = request;
  const { uri } = params;
  if (typeof uri !== "string") {
    throw new RpcError(rpcCodes.invalidParams, "Invalid params: uri must be the URI of a resource");
  }
  const fixed = fixedResources.find(({ listed }) => listed["uri"] === uri);
  if (fixed !== undefined) return { contents: [await fixed.read(context)], ...cacheHints.fixed };
  const isImage = uri.startsWith(imageScheme);
  if (!isImage && !uri.startsWith(scheme)) throw notFound(request, uri);
  requireScope(caller, "mcp:read");
  try {
    if (isImage) return { contents: [await readImage(context, caller, uri)], ...cacheHints.own };
    const { documentation } = await getSkill(context, caller, uri.slice(scheme.length));
    return { contents: [{ uri, mimeType, text: documentation }], ...cacheHints.own };
  } catch (error) {
    const isMissing =
      error instanceof ServiceError && ["tool_not_found", "file_not_found"].includes(error.code);
    throw isMissing ? notFound(request, uri) : error;
  }
}

function notFound({ era }: McpRequest, uri: string): RpcError {
  const code = era === "modern" ? rpcCodes.invalidParams : rpcCodes.resourceNotFound;
  return new RpcError(code, "Resource not found", { data: { uri: uri.slice(0, 1_000) } });
}

function toolIdOf(cursor: unknown): string | undefined {
  if (cursor === undefined) return undefined;
  const id = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString() : "";
  if (isId(id)) return id;
  throw new RpcError(rpcCodes.invalidParams, "Invalid params: the cursor is invalid");
}
