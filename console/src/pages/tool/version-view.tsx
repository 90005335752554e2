import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ToolDetail } from "@toolhost/contract";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { itemQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { Differences } from "#components/differences";
import { SelectField } from "#components/select-field";
import { ProblemNote, Skeleton } from "#components/page";
import { showToast } from "#components/toasts";
import { definitionOf } from "#lib/definition";
import { SourceTab } from "./source-tab.tsx";
import { messages as allMessages } from "./messages-sharing.ts";

const messages = allMessages.versions;

const route = getRouteApi("/tools/$name");
const maxChoices = 100;

/** A version never changes, so it is cached. */
function versionQuery(name: string, version: number) {
  return {
    ...itemQuery("/tools/{name}/versions/{version}", { params: { name, version } }),
    staleTime: 60_000,
  };
}

type ViewProps = {
  tool: ToolDetail;
  version: number;
  /** The version to compare with. */
  other: number | undefined;
  /** The line of the code to show. */
  line: number | undefined;
  canRestore: boolean;
};

/** One version, or its changes compared with another. */
export function VersionView({ tool, version, other, line, canRestore }: ViewProps): ReactNode {
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(versionQuery(tool.name, version));
  const base = useQuery({
    ...versionQuery(tool.name, other ?? version),
    enabled: other !== undefined,
  });
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  const numbers = Array.from({ length: tool.version }, (_, at) => tool.version - at)
    .filter((one) => one !== version)
    .slice(0, maxChoices);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="quiet"
          onPress={() =>
            void navigate({
              search: (before) => ({
                ...before,
                version: undefined,
                with: undefined,
                line: undefined,
              }),
            })
          }
        >
          <ArrowLeft size={16} aria-hidden />
          {messages.all}
        </Button>
        <h2 className="flex items-center gap-2 font-semibold">
          {messages.version(version)}
          {data?.live === true ? <Badge tone="good">{messages.live}</Badge> : null}
        </h2>
        <span className="text-sm text-soft">
          <When at={data?.createdAt} />
        </span>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <SelectField
            label={messages.compare}
            isLabelHidden
            className="w-64"
            value={other === undefined ? "none" : String(other)}
            choices={[
              { id: "none", label: messages.noComparison },
              ...numbers.map((one) => ({
                id: String(one),
                label: messages.compareWith(one, one === tool.version),
              })),
            ]}
            onChange={(one) =>
              void navigate({
                search: (before) => ({ ...before, with: one === "none" ? undefined : Number(one) }),
                replace: true,
              })
            }
          />
          {canRestore && data?.live === false ? (
            <Restore name={tool.name} version={version} />
          ) : null}
        </div>
      </div>
      {data === undefined ? (
        <Skeleton lines={6} />
      ) : other === undefined ? (
        <SourceTab tool={data} source={data.source} line={line} />
      ) : base.error !== null ? (
        <ProblemNote error={base.error} onRetry={() => void base.refetch()} />
      ) : base.data === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <>
          <p className="text-sm text-soft">
            {messages.comparison(Math.min(version, other), Math.max(version, other))}
          </p>
          <Differences
            before={definitionOf(version < other ? data : base.data)}
            after={definitionOf(version < other ? base.data : data)}
          />
        </>
      )}
    </div>
  );
}

function Restore({ name, version }: { name: string; version: number }): ReactNode {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const [isOpen, setOpen] = useState(false);
  const restore = async () => {
    const live = await api.send("POST /tools/{name}/versions/{version}/restore", {
      params: { name, version },
    });
    showToast(messages.restored(version, live.version));
    void navigate({
      search: (before) => ({ ...before, version: undefined, with: undefined }),
      replace: true,
    });
    await client.invalidateQueries({ queryKey: ["tools"] });
    await client.invalidateQueries({ queryKey: ["skill", name] });
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>{messages.restore}</Button>
      <ConfirmDialog
        title={messages.restoreTitle(version)}
        action={messages.restore}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={restore}
      >
        {messages.restoreBody}
      </ConfirmDialog>
    </>
  );
}
