import type { IncomingMessage, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";
import { lazy } from "#lib/lazy";
import type { ProviderNeeds } from "./provider.ts";
import type { ShowRefusal } from "./refusal.ts";

/** The authorization server. Its library is loaded with the first request that needs it. */
export type AuthorizationServer = {
  /** The library. The first call loads it. */
  provider(): Promise<Provider>;
  /** Handles a request of its protocol. Without `showRefusal`, a refusal is plain text. */
  answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    showRefusal?: ShowRefusal,
  ): Promise<void>;
};

/** Creates the authorization server. Its library is large and most services never use it, so it is loaded on demand. */
export function createAuthorizationServer(needs: ProviderNeeds): AuthorizationServer {
  const made = lazy(async () => {
    const { createProvider } = await import("./provider.ts");
    const shows = new WeakMap<IncomingMessage, ShowRefusal>();
    const provider = createProvider(needs, shows);
    return { provider, answer: provider.callback(), shows };
  });
  return {
    provider: async () => (await made()).provider,
    answer: async (incoming, outgoing, showRefusal) => {
      const { answer, shows } = await made();
      if (showRefusal !== undefined) shows.set(incoming, showRefusal);
      return answer(incoming, outgoing);
    },
  };
}
