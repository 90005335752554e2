import { isObject } from "../json.ts";
import { CurlError } from "./curl-error.ts";
import type { CurlRequest } from "./curl-request.ts";
import * as messages from "./messages.ts";

/** A tool has no more fields, and the service accepts no more. */
const maxValues = 200;
const maxSegments = 100;
const maxPathLength = 8_000;

/** Refuses what cannot become a tool before its values are looked at one by one. Throws `CurlError`. */
export function checkSize(request: Pick<CurlRequest, "url" | "query" | "headers" | "body">): void {
  const { pathname } = new URL(request.url);
  const segments = pathname.split("/").length - 1;
  if (segments > maxSegments || pathname.length > maxPathLength) {
    throw new CurlError(messages.longPath(maxSegments, maxPathLength));
  }
  const names = [request.query, request.headers, membersOf(request)].map(
    (all) => new Set(all.map(({ name }) => name)).size,
  );
  const count = names.reduce((sum, size) => sum + size, segments);
  if (count > maxValues) throw new CurlError(messages.tooManyValues(maxValues));
}

function membersOf({ body }: Pick<CurlRequest, "body">): readonly { name: string }[] {
  if (body.kind === "form") return body.fields;
  if (body.kind === "multipart") return body.parts;
  if (body.kind !== "json" || !isObject(body.value)) return [];
  return Object.keys(body.value).map((name) => ({ name }));
}
