import type { Context } from "#core/context";
import type { ClientRequests } from "./client-requests.ts";
import type { Surface } from "./surface.ts";

/** One place where clients connect: what it offers, and what it waits for. */
export type Endpoint = {
  context: Context;
  surface: Surface;
  clientRequests: ClientRequests;
};
