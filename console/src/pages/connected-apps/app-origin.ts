import type { ConnectedApp } from "@toolhost/contract";
import { messages } from "./messages.ts";

/** The origin of an app: the host of a client ID that is a URL, or else the host that the app claims, which can be anything. */
export function appOrigin({
  clientId,
  clientUri,
}: Pick<ConnectedApp, "clientId" | "clientUri">): string | null {
  if (clientId.startsWith("https://")) return new URL(clientId).host;
  if (clientUri === null) return null;
  return messages.row.unverified(URL.parse(clientUri)?.host ?? clientUri);
}
