export { capReached, capSteps, sumCapSteps } from "./caps.ts";
