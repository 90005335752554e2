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
import { SelectField } from "#components/select-field";
import { ProblemNote, Skeleton } from "#components/page";
import { showToast } from "#components/toasts";
import { Differences } from "./differences.tsx";
import { SourceTab } from "./source-tab.tsx";

const route = getRouteApi("/tools/$name");
const maxChoices = 100;

/** A version never changes, so it is asked for once. */
function versionQuery(name: string, version: number) {
  return {
    ...itemQuery("/tools/{name}/versions/{version}", { params: { name, version } }),
    staleTime: 60_000,
  };
}

type ViewProps = {
  tool: ToolDetail;
  version: number;
  /** The version that it is compared with. */
  other: number | undefined;
  mayRestore: boolean;
};

/** One version as it was, or what differs from another. */
export function VersionView({ tool, version, other, mayRestore }: ViewProps): ReactNode {
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
              search: (before) => ({ ...before, version: undefined, with: undefined }),
            })
          }
        >
          <ArrowLeft size={16} aria-hidden />
          All versions
        </Button>
        <h2 className="flex items-center gap-2 font-semibold">
          Version {version}
          {data?.live === true ? <Badge tone="good">live</Badge> : null}
        </h2>
        <span className="text-sm text-soft">
          <When at={data?.createdAt} />
        </span>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <SelectField
            label="Compare with"
            isLabelHidden
            className="w-64"
            value={other === undefined ? "none" : String(other)}
            choices={[
              { id: "none", label: "Compare with…" },
              ...numbers.map((one) => ({
                id: String(one),
                label: `Compare with version ${one}${one === tool.version ? " (live)" : ""}`,
              })),
            ]}
            onChange={(one) =>
              void navigate({
                search: (before) => ({ ...before, with: one === "none" ? undefined : Number(one) }),
                replace: true,
              })
            }
          />
          {mayRestore && data?.live === false ? (
            <Restore name={tool.name} version={version} />
          ) : null}
        </div>
      </div>
      {data === undefined ? (
        <Skeleton lines={6} />
      ) : other === undefined ? (
        <SourceTab tool={data} source={data.source} />
      ) : base.error !== null ? (
        <ProblemNote error={base.error} onRetry={() => void base.refetch()} />
      ) : base.data === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <>
          <p className="text-sm text-soft">
            What changed from version {Math.min(version, other)} to version{" "}
            {Math.max(version, other)}.
          </p>
          <Differences
            before={version < other ? data : base.data}
            after={version < other ? base.data : data}
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
    showToast(`Version ${version} is live again, as version ${live.version}.`);
    void navigate({
      search: (before) => ({ ...before, version: undefined, with: undefined }),
      replace: true,
    });
    await client.invalidateQueries({ queryKey: ["tools"] });
    await client.invalidateQueries({ queryKey: ["skill", name] });
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>Restore</Button>
      <ConfirmDialog
        title={`Restore version ${version}?`}
        action="Restore"
        cancel="Not now"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={restore}
      >
        What it says becomes the next version and is live at once, for everybody and every agent.
        The version that is live now stays in the list.
      </ConfirmDialog>
    </>
  );
}
