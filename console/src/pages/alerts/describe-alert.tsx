import { useQuery } from "@tanstack/react-query";
import type { Alert } from "@toolhost/contract";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { messages } from "./messages.ts";

/** The condition of an alert in words, with the title of its tool. */
export function AlertDescription({ alert: { condition, toolName } }: { alert: Alert }): ReactNode {
  const { data: tool } = useQuery({
    ...itemQuery("/tools/{name}", { params: { name: toolName ?? "" } }),
    enabled: toolName !== null,
  });
  const { conditions } = messages;
  const what =
    condition.kind === "failure_rate"
      ? conditions.failure_rate(condition.percent, condition.windowMinutes, condition.minRuns)
      : condition.kind === "no_success"
        ? conditions.no_success(condition.hours)
        : conditions.credential(condition.days);
  return toolName === null ? what : messages.ofTool(tool?.title ?? toolName, what);
}
