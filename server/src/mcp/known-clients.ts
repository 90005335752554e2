import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { createLruMap } from "#lib/lru";
import { declaresForms } from "./declares-forms.ts";
import { objectAt } from "./message.ts";

/** What this node remembers of a legacy client, which declares its capabilities only when it initializes. */
export type KnownClient = {
  /** Whether it supports URL elicitation. */
  canOpenUrls: boolean;
  /** Whether it supports form elicitation. */
  canShowForms: boolean;
  /** When it was last asked to open the page of a credential, by name. */
  askedAt: Map<string, number>;
};

/** Legacy clients that initialized on this node. A client that is not found is served as one without capabilities. */
export type KnownClients = {
  note(clientId: string, capabilities: JsonObject): void;
  find(clientId: string): KnownClient | undefined;
};

const maxClients = 5_000;

export function createKnownClients(): KnownClients {
  const clients = createLruMap<string, KnownClient>(maxClients);
  return {
    note: (clientId, capabilities) => {
      const canOpenUrls = isJsonObject(objectAt(capabilities, "elicitation")["url"]);
      const canShowForms = declaresForms(capabilities);
      clients.set(clientId, { canOpenUrls, canShowForms, askedAt: new Map() });
    },
    find: (clientId) => clients.get(clientId),
  };
}
