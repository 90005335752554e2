export { tokens } from "./tokens.ts";
export { controls, pickers } from "./controls.ts";
export { surfaces } from "./surfaces.ts";
