import { lazyRouteComponent } from "@tanstack/react-router";
import { loadChunk } from "./load-chunk.ts";

/** A page, or a tab of one, that is loaded when it is first gone to. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadChunk(load), name);
