export { capSteps, sumCapSteps } from "./caps.ts";
