import { lazyRouteComponent } from "@tanstack/react-router";
import { loadPart } from "./load-part.ts";

/** A page, or a tab of one, that is loaded when it is first gone to. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadPart(load), name);
