import { allowedOrigins } from "#core/identity";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { readBytes } from "#rest";
import { messages } from "./messages.ts";

const maxFormBytes = 32 * 1024;

/**
 * Throws `forbidden` if a form comes from another origin than one of the server's own pages, or if neither `Origin` nor
 * `Sec-Fetch-Site` shows its origin (cross-site request forgery).
 */
export function requireOwnForm(context: Context, request: Request): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const isOwn =
    origin !== null && origin !== "null"
      ? allowedOrigins(context.config).has(origin)
      : site === "same-origin";
  if (!isOwn) {
    throw new ServiceError("forbidden", messages.page.foreignForm);
  }
}

/** Reads a form that one of the server's own pages sent. Throws `forbidden` for any other. */
export async function readForm(context: Context, request: Request): Promise<URLSearchParams> {
  requireOwnForm(context, request);
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new ServiceError("unsupported_media_type", messages.page.formType);
  }
  return new URLSearchParams(Buffer.from(await readBytes(request, maxFormBytes)).toString());
}
