export type { CapName } from "./caps.ts";
export { caps, capSteps, sumCapSteps } from "./caps.ts";
