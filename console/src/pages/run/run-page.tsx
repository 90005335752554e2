import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Run } from "@toolhost/contract";
import type { ReactNode } from "react";
import { ApiProblem } from "#api/problem";
import { itemQuery, meQuery } from "#api/queries";
import { BackLink, Card, Page, ProblemNote, Skeleton } from "#components/page";
import { RunLog } from "#components/run-log";
import { RunPanel } from "#components/run-panel";
import { schemaOfOutput } from "#runs/form-tool.ts";
import { ChildRuns } from "./child-runs.tsx";
import { FailedLine } from "./failed-line.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunNotFound } from "./run-not-found.tsx";
import { RunInput } from "./run-input.tsx";
import { RunSummaryLine } from "./run-summary-line.tsx";
import { RunDetails } from "./run-details.tsx";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.page;

const route = getRouteApi("/runs/$runId");

/** The page of one run, with live progress while it is running. */
export function RunPage(): ReactNode {
  const { runId } = route.useParams();
  const { data, error, refetch } = useQuery(itemQuery("/runs/{runId}", { params: { runId } }));
  if (data !== undefined) return <RunRecord key={runId} run={data} />;
  if (error instanceof ApiProblem && error.status === 404) return <RunNotFound runId={runId} />;
  return (
    <Page title={messages.title}>
      {error === null ? (
        <Skeleton lines={5} />
      ) : (
        <ProblemNote error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function RunRecord({ run }: { run: Run }): ReactNode {
  const { runId, status, toolName, draft, draftId } = run;
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  // The tool may be archived, uninstalled, or a draft; then the result is shown without the labels of its schema.
  const tool = useQuery({
    ...itemQuery("/tools/{name}", { params: { name: toolName } }),
    enabled: !toolName.startsWith("draft-"),
    retry: false,
  });
  const ofDraft = useQuery({
    ...itemQuery("/drafts/{id}", { params: { id: draftId ?? "" } }),
    enabled: draftId !== null,
    retry: false,
  });
  // The title of the draft itself, which may differ from the published one.
  const draftTitle = ofDraft.data?.title || tool.data?.title;
  const title = draft
    ? draftTitle === undefined
      ? messages.draft
      : messages.draftOf(draftTitle)
    : (tool.data?.title ?? toolName);
  const canRun = me?.scopes.includes("mcp:execute") === true;
  const isReady = !tool.isLoading && !ofDraft.isLoading;
  return (
    <Page
      title={messages.titleOf(title)}
      back={<BackLink to="/runs">{allMessages.all}</BackLink>}
      lead={<RunSummaryLine run={run} isToolHere={tool.data !== undefined} />}
      actions={<RunActions run={run} me={me} tool={tool.data} />}
    >
      <div className="grid min-w-0 grid-cols-1 gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:items-start">
        <div className="grid min-w-0 grid-cols-1 gap-5">
          <Card title={status === "running" ? messages.running : messages.result}>
            {isReady ? (
              <RunPanel
                key={status}
                run={run}
                outputSchema={schemaOfOutput(tool.data)}
                toolTitle={draftTitle}
                canAnswer={canRun && me.user.id === run.userId}
                onEnd={() => void client.invalidateQueries({ queryKey: ["runs"] })}
              />
            ) : (
              <Skeleton lines={2} />
            )}
            <FailedLine run={run} />
          </Card>
          {status === "running" ? null : <RunLog runId={runId} />}
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-5">
          <RunInput run={run} />
          <RunDetails run={run} />
          <ChildRuns runId={runId} isLive={status === "running"} />
        </div>
      </div>
    </Page>
  );
}
