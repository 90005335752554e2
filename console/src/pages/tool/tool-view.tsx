import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ToolDetail } from "@toolhost/contract";
import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { lazy } from "react";
import { meQuery } from "#api/queries";
import { Badge } from "#components/badges";
import { Button } from "#components/button";
import { LazyPart } from "#components/lazy-part";
import { Page } from "#components/page";
import { Tabs } from "#components/tabs";
import type { TabEntry } from "#components/tabs";
import { ToolMenu } from "#components/tool-menu";
import { OriginBadge } from "#components/tool-row";
import { useToolActions } from "#components/use-tool-actions";
import { lazyPage } from "#lib/lazy-page";
import { loadChunk } from "#lib/load-chunk";
import { rightsTo } from "#lib/rights";
import type { ToolRights } from "#lib/rights";
import { messages } from "./messages.ts";
import { RunTab } from "./run-tab.tsx";
import type { ToolTab } from "./search.ts";

const route = getRouteApi("/tools/$name");

// Loaded on demand, because most people come to run the tool.
const UpdateNotice = lazy(async () => ({
  default: (await loadChunk(() => import("./update-notice.tsx"))).UpdateNotice,
}));
const ImportOrigin = lazy(async () => ({
  default: (await loadChunk(() => import("./import-origin.tsx"))).ImportOrigin,
}));
const DocumentationTab = lazyPage(() => import("./documentation-tab.tsx"), "DocumentationTab");
const UseTab = lazyPage(() => import("./use-tab.tsx"), "UseTab");
const RunsTab = lazyPage(() => import("./runs-tab.tsx"), "RunsTab");
const StatsTab = lazyPage(() => import("./stats-tab.tsx"), "StatsTab");
const VersionsTab = lazyPage(() => import("./versions-tab.tsx"), "VersionsTab");
const SharingTab = lazyPage(() => import("./sharing-tab.tsx"), "SharingTab");
const SourceTab = lazyPage(() => import("./source-tab.tsx"), "SourceTab");

/** The page of an available tool, with the tabs that the user may see. */
export function ToolView({ tool }: { tool: ToolDetail }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const { edit, isPending } = useToolActions();
  const rights = rightsTo(tool, me);
  const { name, title, version } = tool;
  const tabs = tabsOf(tool, rights);
  const selected = tabs.find(({ id }) => id === tab)?.id ?? tabs[0]?.id ?? "docs";
  return (
    <Page
      title={title}
      lead={
        <span className="line-clamp-3 max-w-prose whitespace-pre-line">
          <bdi>{tool.description}</bdi>
        </span>
      }
      actions={
        <>
          {rights.edit ? (
            <Button isPending={isPending} onPress={() => edit(name)}>
              <Pencil size={16} aria-hidden />
              {messages.page.edit}
            </Button>
          ) : null}
          <ToolMenu tool={tool} rights={rights} onRemoved={() => void navigate({ to: "/" })} />
        </>
      }
    >
      <p className="-mt-2 flex flex-wrap items-center gap-2 text-sm text-soft">
        <code className="font-mono">{name}</code>
        <Badge>{messages.page.version(version)}</Badge>
        <OriginBadge tool={tool} />
      </p>
      {tool.installed === true && tool.hold === undefined ? null : (
        <LazyPart lines={0}>
          <ImportOrigin tool={tool} />
        </LazyPart>
      )}
      {tool.update === undefined ? null : (
        <LazyPart lines={1}>
          <UpdateNotice tool={tool} canAccept={rights.acceptUpdate} />
        </LazyPart>
      )}
      {me === undefined || rights.run ? null : <p className="ui-note">{messages.cannotRun}</p>}
      <Tabs
        label={title}
        tabs={tabs}
        selected={selected}
        onSelect={(id) =>
          void navigate({
            search: (before) => ({ ...before, tab: id, version: undefined, with: undefined }),
          })
        }
      />
    </Page>
  );
}

function tabsOf(tool: ToolDetail, rights: ToolRights): TabEntry<ToolTab>[] {
  const entries: (TabEntry<ToolTab> | false)[] = [
    rights.run && {
      id: "run",
      label: messages.tabs.run,
      content: <RunTab tool={tool} />,
      isKept: true,
    },
    {
      id: "docs",
      label: messages.tabs.documentation,
      content: <DocumentationTab tool={tool} />,
      preload: DocumentationTab.preload,
    },
    {
      id: "use",
      label: messages.tabs.use,
      content: <UseTab tool={tool} />,
      preload: UseTab.preload,
    },
    {
      id: "runs",
      label: messages.tabs.runs,
      content: <RunsTab tool={tool} />,
      preload: RunsTab.preload,
    },
    {
      id: "stats",
      label: messages.tabs.stats,
      content: <StatsTab tool={tool} />,
      preload: StatsTab.preload,
    },
    rights.edit && {
      id: "versions",
      label: messages.tabs.versions,
      content: <VersionsTab tool={tool} canRestore={rights.edit} />,
      preload: VersionsTab.preload,
    },
    {
      id: "sharing",
      label: messages.tabs.sharing,
      content: <SharingTab tool={tool} rights={rights} />,
      preload: SharingTab.preload,
    },
    tool.source !== undefined && {
      id: "source",
      label: messages.tabs.source,
      content: <SourceTab tool={tool} source={tool.source} />,
      preload: SourceTab.preload,
    },
  ];
  return entries.filter((entry) => entry !== false);
}
