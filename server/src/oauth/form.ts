import { allowedOrigins } from "#core/identity";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { readBytes } from "#rest";

const maxFormBytes = 32 * 1024;

/**
 * Reads a form that one of our own pages sent. Throws `forbidden` for one of another origin: a browser says
 * where a form comes from, and one that says nothing is not trusted with a decision.
 */
export async function readForm(context: Context, request: Request): Promise<URLSearchParams> {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const isOwn =
    origin !== null && origin !== "null"
      ? allowedOrigins(context.config).has(origin)
      : site === "same-origin";
  if (!isOwn) {
    throw new ServiceError("forbidden", "This form was sent from another site. Open it here.");
  }
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new ServiceError("unsupported_media_type", "Send the form as a browser does.");
  }
  return new URLSearchParams(Buffer.from(await readBytes(request, maxFormBytes)).toString());
}
