import { lazyRouteComponent } from "@tanstack/react-router";
import { loadChunk } from "./load-chunk.ts";

/** A page or tab whose code loads on first use. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadChunk(load), name);
