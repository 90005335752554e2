export { planField } from "./plan-field.ts";
export type { FieldPlan } from "./plan-field.ts";
