import type { Context } from "#core/context";
import { ClientMetadataError, normalizeClientMetadata } from "#core/identity";
import { ServiceError } from "#core/kernel";
import { readBytes } from "#rest";

const maxBytes = 64 * 1024;

type Registration =
  | { metadata: Record<string, unknown>; refusal?: never }
  | { refusal: Response; metadata?: never };

/** Reads what a client says of itself when it registers (RFC 7591), or the refusal that it gets. */
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
      return refuse(400, "invalid_client_metadata", "The body is not JSON.");
    }
    if (error instanceof ServiceError && error.code === "payload_too_large") {
      return refuse(413, "invalid_client_metadata", `The body has more than ${maxBytes} bytes.`);
    }
    throw error;
  }
}

function refuse(status: number, error: string, description: string): { refusal: Response } {
  return { refusal: Response.json({ error, error_description: description }, { status }) };
}
