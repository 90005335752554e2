export { fontFaces } from "./fonts.ts";
export type { FontFile } from "./fonts.ts";
export { tokens } from "./tokens.ts";
export { controls, pickers } from "./controls.ts";
export { surfaces } from "./surfaces.ts";
