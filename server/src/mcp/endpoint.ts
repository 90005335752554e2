import type { Context } from "#core/context";
import type { ClientRequests } from "./client-requests.ts";
import type { Surface } from "./surface.ts";

/** What the transports at one path need: its surface, and the pending requests to its clients. */
export type Endpoint = {
  context: Context;
  surface: Surface;
  clientRequests: ClientRequests;
};
