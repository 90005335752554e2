import type { Context } from "#core/context";
import { createClientRequests } from "./client-requests.ts";
import type { ClientRequests } from "./client-requests.ts";
import { createKnownClients } from "./known-clients.ts";
import type { KnownClients } from "./known-clients.ts";
import type { Surface } from "./surface.ts";

/** What the transports at one path need: its surface, and the pending requests to its clients. */
export type Endpoint = {
  context: Context;
  surface: Surface;
  clientRequests: ClientRequests;
  knownClients: KnownClients;
};

/** The state of an endpoint for a surface. */
export function createEndpoint(context: Context, surface: Surface): Endpoint {
  return {
    context,
    surface,
    clientRequests: createClientRequests(),
    knownClients: createKnownClients(),
  };
}
