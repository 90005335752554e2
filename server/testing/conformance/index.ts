export { anonymousCaller } from "./anonymous-caller.ts";
export { conformanceSurface } from "./surface.ts";
