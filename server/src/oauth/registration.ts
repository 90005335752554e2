import type { Context } from "#core/context";
import { ClientMetadataError, normalizeClientMetadata } from "#core/identity";
import { ServiceError } from "#core/kernel";
import { readBytes } from "#rest";

const maxBytes = 64 * 1024;

type Registration =
  | { metadata: Record<string, unknown>; error?: never }
  | { error: Response; metadata?: never };

/** Reads the metadata of a client that registers (RFC 7591), or returns the error response. */
export async function readRegistration(
  { config }: Pick<Context, "config">,
  request: Request,
): Promise<Registration> {
  try {
    const text = Buffer.from(await readBytes(request, maxBytes)).toString();
    const { client_id: _, ...metadata } = normalizeClientMetadata(
      JSON.parse(text),
      config.OAUTH_REDIRECT_SCHEMES,
    );
    return { metadata };
  } catch (error) {
    if (error instanceof ClientMetadataError) return refuse(400, error.error, error.message);
    if (error instanceof SyntaxError) {
      return refuse(400, "invalid_client_metadata", "The request body is not valid JSON.");
    }
    if (error instanceof ServiceError && error.code === "payload_too_large") {
      return refuse(
        413,
        "invalid_client_metadata",
        `The request body is larger than ${maxBytes} bytes.`,
      );
    }
    throw error;
  }
}

function refuse(status: number, error: string, description: string): { error: Response } {
  const body = { error, error_description: description };
  return { error: Response.json(body, { status }) };
}
