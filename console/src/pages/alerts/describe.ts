import type { Alert } from "@toolhost/contract";
import { messages } from "./messages.ts";

/** The condition of an alert in words. */
export function describeAlert({ condition, toolName }: Alert): string {
  const { conditions } = messages;
  const what =
    condition.kind === "failure_rate"
      ? conditions.failure_rate(condition.percent, condition.windowMinutes, condition.minRuns)
      : condition.kind === "no_success"
        ? conditions.no_success(condition.hours)
        : conditions.credential(condition.days);
  return toolName === null ? what : messages.ofTool(toolName, what);
}
