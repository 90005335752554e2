import { isJsonObject } from "#lib/json-object";

/** The members of a token endpoint's answer that we look at (RFC 6749, section 5). */
const wanted = ["access_token", "token_type", "expires_in", "refresh_token", "scope"] as const;

/**
 * A token endpoint's answer as RFC 6749 would have it. GitHub and Slack say 200 with an `error`; a challenge
 * in a header would hide the error in the body; who signed in, an `id_token`, is nobody's business here.
 */
export async function tidyAnswer(answer: Response): Promise<Response> {
  const isOutcome = answer.status === 200 || (answer.status >= 400 && answer.status < 500);
  const said = isOutcome ? readObject(await answer.text()) : undefined;
  if (said === undefined) {
    // Not 200 with something else: that would be read again as an answer.
    return new Response(null, { status: answer.status === 200 ? 502 : answer.status });
  }
  const { error, access_token: token } = said;
  if (token === undefined && typeof error === "string") {
    return Response.json({ error }, { status: 400 });
  }
  if (answer.status !== 200) return new Response(null, { status: 502 });
  return Response.json(
    Object.fromEntries(
      wanted.flatMap((name) => (said[name] == null ? [] : [[name, said[name]] as const])),
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
