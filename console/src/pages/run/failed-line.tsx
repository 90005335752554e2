import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Run } from "@toolhost/contract";
import { FileCode } from "lucide-react";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { messages } from "./messages.ts";

/** Links to the line of the tool's code that failed; nothing if the run has none, or its version is gone. */
export function FailedLine({ run }: { run: Run }): ReactNode {
  const { toolName: name, toolVersion: version, draft } = run;
  const line = failedLine(run.error?.stack);
  const isLinked = line !== undefined && !draft;
  const { isSuccess } = useQuery({
    ...itemQuery("/tools/{name}/versions/{version}", { params: { name, version } }),
    enabled: isLinked,
    retry: false,
  });
  if (!isLinked || !isSuccess) return null;
  return (
    <Link
      to="/tools/$name"
      params={{ name }}
      search={{ tab: "versions", version, line }}
      className="flex items-center gap-1.5 justify-self-start rounded-sm text-sm text-strong hover:underline"
    >
      <FileCode size={15} aria-hidden />
      {messages.failedLine(line)}
    </Link>
  );
}

/** The first line of the tool's own code in a stack trace. */
export function failedLine(stack: string | undefined): number | undefined {
  const line = /\btool\.[tj]s:(\d+):\d+/.exec(stack ?? "")?.[1];
  return line === undefined ? undefined : Number(line);
}
