import type { IncomingMessage, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";
import { lazy } from "#lib/lazy";
import type { ProviderNeeds } from "./provider.ts";

/** The authorization server, of which nothing is loaded before somebody signs a client in. */
export type AuthorizationServer = {
  /** The library, which whoever asks first waits for. */
  provider(): Promise<Provider>;
  /** Answers a request of its protocol. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
};

/** Makes the authorization server once it is needed: its library is large, and most starts can do without. */
export function createAuthorizationServer(needs: ProviderNeeds): AuthorizationServer {
  const made = lazy(async () => {
    const { createProvider } = await import("./provider.ts");
    const provider = createProvider(needs);
    return { provider, answer: provider.callback() };
  });
  return {
    provider: async () => (await made()).provider,
    answer: async (incoming, outgoing) => (await made()).answer(incoming, outgoing),
  };
}
