import { isJsonObject } from "#lib/json-object";

/** The members of a token response that are used (RFC 6749, section 5). */
const usedMembers = ["access_token", "token_type", "expires_in", "refresh_token", "scope"] as const;

/**
 * A token response in the form of RFC 6749. GitHub and Slack send errors with status 200, a `WWW-Authenticate` header
 * would hide the error in the body, and an `id_token` is not used.
 */
export async function tidyAnswer(answer: Response): Promise<Response> {
  const isOutcome = answer.status === 200 || (answer.status >= 400 && answer.status < 500);
  const body = isOutcome ? readObject(await answer.text()) : undefined;
  if (body === undefined) {
    // Status 200 with another body would be parsed as a token response.
    return new Response(null, { status: answer.status === 200 ? 502 : answer.status });
  }
  const { error, access_token: token } = body;
  if (token === undefined && typeof error === "string") {
    return Response.json({ error }, { status: 400 });
  }
  if (answer.status !== 200) return new Response(null, { status: 502 });
  return Response.json(
    Object.fromEntries(
      usedMembers.flatMap((name) => (body[name] == null ? [] : [[name, body[name]] as const])),
    ),
  );
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
