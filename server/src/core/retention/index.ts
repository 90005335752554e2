export { sweep } from "./sweep.ts";
