import { useQuery } from "@tanstack/react-query";
import type { ToolDetail } from "@toolhost/contract";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { Button } from "#components/button";
import { CopyButton } from "#components/copy";
import { Markdown } from "#components/markdown";
import { ProblemNote, Skeleton } from "#components/page";
import { saveFile } from "#lib/save-file";
import { messages as allMessages } from "./messages-on-demand.ts";

const messages = allMessages.documentation;

/** The documentation of the tool, as agents read it. */
export function DocumentationTab({ tool }: { tool: ToolDetail }): ReactNode {
  const { data, error, refetch } = useQuery({
    // The version is part of the key, so that the documentation of an earlier one is not shown.
    queryKey: ["skill", tool.name, tool.version],
    queryFn: ({ signal }) =>
      api.get("/skill/{toolName}", {
        params: { toolName: tool.name },
        query: { format: "json" },
        signal,
      }),
  });
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={6} />;
  const { documentation } = data;
  const save = () => saveFile(new Blob([documentation], { type: "text/markdown" }), "SKILL.md");
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-soft">{messages.lead}</p>
        <div className="flex flex-wrap gap-1">
          <CopyButton text={documentation} label={messages.copy} />
          <Button look="quiet" onPress={save}>
            <Download size={16} aria-hidden />
            {messages.download}
          </Button>
        </div>
      </div>
      <div className="min-w-0 rounded-xl border border-line bg-paper p-4 sm:p-6">
        <div className="max-w-3xl min-w-0">
          <Markdown text={bodyOf(documentation)} />
        </div>
      </div>
    </div>
  );
}

/** Removes the front matter and the title, which the page shows itself. */
function bodyOf(documentation: string): string {
  return documentation.replace(/^---\n[\s\S]*?\n---\n+/, "").replace(/^# .*\n+/, "");
}
