import { z } from "zod";
import { ChatError } from "#core/chat";
import type { TeamsSettings } from "./teams-settings.ts";

const timeoutMs = 8_000;
/** A token is replaced before it expires on the way. */
const marginMs = 300_000;

const tokens = z.object({
  access_token: z.string().min(1),
  id_token: z.string().optional(),
  expires_in: z.coerce.number().min(0),
});
const refusal = z.object({ error: z.string().max(100) });

/** Requests tokens from Microsoft Entra ID. Throws `ChatError`. */
export async function requestTokens(
  { appId, tenantId, clientSecret, loginUrl }: TeamsSettings,
  grant: Record<string, string>,
): Promise<z.infer<typeof tokens>> {
  const body = new URLSearchParams({ client_id: appId, client_secret: clientSecret, ...grant });
  const url = new URL(`${tenantId}/oauth2/v2.0/token`, loginUrl);
  let status = 0;
  let answer: unknown;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: "POST", body, redirect: "manual", signal });
    status = response.status;
    answer = await response.json();
  } catch {
    throw new ChatError("later", "token: no valid response");
  }
  const found = tokens.safeParse(answer);
  if (status === 200 && found.success) return found.data;
  const error = refusal.safeParse(answer).data?.error ?? `HTTP ${status}`;
  const message = `token: ${error.replaceAll(/[^\w ]/g, "")}`;
  // The app was deleted or disabled in the tenant.
  if (error === "unauthorized_client") throw new ChatError("revoked", message);
  // The secret is a setting, so the operator has to fix it.
  if (error === "invalid_client") throw new ChatError("later", message, { kind: "not_set_up" });
  throw new ChatError(status === 429 || status >= 500 ? "later" : "refused", message);
}

/** The bot's own token, requested once for all that need it. */
export type TokenSource = { get(): Promise<string>; renew(): Promise<string> };

export function createTokenSource(settings: TeamsSettings): TokenSource {
  let current: { token: Promise<string>; until: number } | undefined;
  const renew = () => {
    const requested = { token: request(), until: Date.now() + timeoutMs };
    async function request(): Promise<string> {
      const scope = "https://api.botframework.com/.default";
      const found = await requestTokens(settings, { grant_type: "client_credentials", scope });
      requested.until = Date.now() + found.expires_in * 1_000 - marginMs;
      return found.access_token;
    }
    current = requested;
    requested.token.catch(() => {
      if (current === requested) current = undefined;
    });
    return requested.token;
  };
  return {
    get: () => (current !== undefined && current.until > Date.now() ? current.token : renew()),
    renew,
  };
}
