import type { IncomingMessage, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";
import { lazy } from "#lib/lazy";
import type { ProviderNeeds } from "./provider.ts";

/** Why an app is not connected. All but the code and the status may repeat what a hostile request said. */
export type Refusal = {
  /** The protocol's code, such as `invalid_client`. */
  error: string;
  description: string;
  status: number;
  /** It was answered before, or took too long. */
  isOver: boolean;
  /** What the client calls itself, where it is one that is known. */
  clientName: string | undefined;
  redirectUri: string | undefined;
  clientId: string | undefined;
};

/** Makes what a person's browser shows of a refusal that no address may be told of (RFC 6749, section 4.1.2.1). */
export type ShowRefusal = (refusal: Refusal) => Promise<Response>;

/** The authorization server, of which nothing is loaded before somebody signs a client in. */
export type AuthorizationServer = {
  /** The library, which whoever asks first waits for. */
  provider(): Promise<Provider>;
  /** Answers a request of its protocol. A refusal is plain text unless it is told how to show one. */
  answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    showRefusal?: ShowRefusal,
  ): Promise<void>;
};

/** Makes the authorization server once it is needed: its library is large, and most starts can do without. */
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
