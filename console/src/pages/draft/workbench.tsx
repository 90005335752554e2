import { getRouteApi } from "@tanstack/react-router";
import type { Draft } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useEffect, useId, useMemo, useState } from "react";
import { useTitle } from "#components/page";
import { TabPanel } from "#components/tab-panel";
import { TabList } from "#components/tabs";
import { classes } from "#lib/class-names";
import { AccessPanel } from "./definition/access-panel.tsx";
import { DetailsPanel } from "./definition/details-panel.tsx";
import { textAt } from "./definition/read-definition.ts";
import { DraftContext } from "./draft-context.ts";
import type { OpenDraft } from "./draft-context.ts";
import { CodePanel } from "./editor/code-panel.tsx";
import { closeFiles } from "./editor/open-files.ts";
import { ExamplesPanel } from "./examples/examples-panel.tsx";
import { useExampleRuns } from "./examples/use-example-runs.ts";
import { DraftHeader } from "./header/draft-header.tsx";
import { ConflictDialog } from "./header/conflict-dialog.tsx";
import { DraftEndedNotice } from "./header/draft-ended-notice.tsx";
import { messages as allMessages } from "./messages.ts";
import { RunContext, useDraftRuns } from "./run/run-context.ts";
import { RunPane } from "./run/run-pane.tsx";
import { InputPanel } from "./schema/input-panel.tsx";
import { OutputPanel } from "./schema/output-panel.tsx";
import { useDraftStore } from "./store/use-draft-store.ts";
import { useGoToTab } from "./use-go-to-tab.ts";
import { useMedia } from "./use-media.ts";

const route = getRouteApi("/drafts/$draftId");

const messages = allMessages.page;

const tabs = [
  { id: "code", label: messages.tabs.code, Content: CodePanel },
  { id: "input", label: messages.tabs.input, Content: InputPanel },
  { id: "output", label: messages.tabs.output, Content: OutputPanel },
  { id: "access", label: messages.tabs.access, Content: AccessPanel },
  { id: "details", label: messages.tabs.details, Content: DetailsPanel },
  { id: "examples", label: messages.tabs.examples, Content: ExamplesPanel },
] as const;

/** The draft editor. The run pane is next to the tabs, or in a separate tab on a narrow screen. */
export function Workbench({ draft }: { draft: Draft }): ReactNode {
  const { store, state } = useDraftStore(draft);
  const { definition } = state;
  const open: OpenDraft = useMemo(
    () => ({ draft, store, state, definition: state.definition, change: store.change }),
    [draft, store, state],
  );
  const runs = useDraftRuns();
  const examples = useExampleRuns(draft, store);
  const title = textAt(definition, "title");
  useTitle(title === "" ? messages.newTool : title);
  const isWide = useMedia("(min-width: 1100px)");
  const { tab } = route.useSearch();
  const selected = tab === undefined || (tab === "run" && isWide) ? "code" : tab;
  const group = useId();
  const select = useGoToTab();
  const [publishing, setPublishing] = useState(false);
  const runNow = () => {
    if (!isWide) select("run");
    runs.submit();
  };
  useEffect(() => () => closeFiles(`/drafts/${draft.id}`), [draft.id]);
  useKeys(runNow, () => void store.flush().catch(() => undefined));
  return (
    <DraftContext value={open}>
      <RunContext value={{ ...runs, runNow, examples }}>
        <div className="flex min-h-0 flex-col lg:h-dvh">
          <DraftHeader isPublishing={publishing} onPublish={setPublishing} onRun={runNow} />
          <div
            className={classes(
              "grid min-h-0 min-w-0 flex-1",
              isWide && "grid-cols-[minmax(0,1fr)_minmax(22rem,38%)]",
            )}
          >
            <div className="flex min-h-0 min-w-0 flex-col">
              <TabList
                group={group}
                label={messages.tabList}
                tabs={isWide ? tabs : [...tabs, { id: "run", label: messages.run }]}
                selected={selected}
                onSelect={select}
                className="shrink-0 px-2"
              />
              {tabs.map(({ id, Content }) =>
                id === selected ? (
                  <TabPanel
                    key={id}
                    group={group}
                    id={id}
                    isSelected
                    className="min-h-0 flex-1 overflow-auto"
                  >
                    <Content />
                  </TabPanel>
                ) : null,
              )}
              {isWide ? null : (
                // The panel stays mounted, so that a run in progress stays visible when the user returns to it.
                <TabPanel group={group} id="run" isSelected={selected === "run"}>
                  <RunPane />
                </TabPanel>
              )}
            </div>
            {isWide ? (
              <section
                aria-label={messages.run}
                className="min-h-0 overflow-auto border-l border-line bg-paper"
              >
                <RunPane />
              </section>
            ) : null}
          </div>
        </div>
        <ConflictDialog />
        <DraftEndedNotice />
      </RunContext>
    </DraftContext>
  );
}

/** Ctrl or Command with Enter runs and with S saves, except in the code editor, which has its own key bindings. */
function useKeys(run: () => void, save: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      if (event.key === "s") {
        event.preventDefault();
        save();
      }
      // In a dialog, Enter belongs to the dialog.
      if (event.key === "Enter" && document.querySelector('[role="dialog"]') === null) {
        event.preventDefault();
        run();
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
