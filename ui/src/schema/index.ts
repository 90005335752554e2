export { planField } from "./plan-field.ts";
export type { FieldPlan } from "./plan-field.ts";
export { needsFile, sampleFileId, sampleInput } from "./sample-input.ts";
