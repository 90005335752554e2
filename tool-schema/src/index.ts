export { checkValue } from "./check-value.ts";
export { describeInputs, inputsWithoutDescription } from "./describe-inputs.ts";
export { planField } from "./plan-field.ts";
export type { Choice, FieldPlan, TextInput, Variant } from "./plan-field.ts";
export { fromPointers } from "./problem.ts";
export type { PointedProblem, Problem } from "./problem.ts";
export { needsFile, sampleFileId, sampleInput } from "./sample-input.ts";
export { toolTypes } from "./tool-types.ts";
export type { TypedDefinition } from "./tool-types.ts";
