import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import type { Run, RunSummary } from "@toolhost/contract";
import { formatTime } from "@toolhost/ui/time";
import type { ReactNode } from "react";
import { memberName, membersQuery } from "#api/members";
import { itemQuery, meQuery } from "#api/queries";
import { StatusBadge } from "#components/badges";
import { Difference } from "#components/differences";
import { BackLink, EmptyState, Page, ProblemNote, Skeleton } from "#components/page";
import { messages } from "./messages.ts";
import { RunPicker } from "./run-picker.tsx";
import { differentParts, runParts } from "./run-parts.ts";
import { Name } from "#components/name";

const route = getRouteApi("/runs/$runId/compare");
const maxOthers = 100;

/** Compares a run with another one of its tool, part by part and line by line. */
export function ComparePage(): ReactNode {
  const { runId } = route.useParams();
  const { with: otherId } = route.useSearch();
  const { data: run, error } = useQuery(itemQuery("/runs/{runId}", { params: { runId } }));
  return (
    <Page
      title={messages.title}
      lead={messages.lead}
      back={
        <BackLink to="/runs/$runId" params={{ runId }}>
          {messages.back}
        </BackLink>
      }
    >
      {run === undefined ? (
        error === null ? (
          <Skeleton />
        ) : (
          <ProblemNote error={error} />
        )
      ) : (
        <>
          <OtherRun run={run} selected={otherId} />
          {otherId === undefined ? null : <RunDifferences run={run} otherId={otherId} />}
        </>
      )}
    </Page>
  );
}

function OtherRun({ run, selected }: { run: Run; selected: string | undefined }): ReactNode {
  const navigate = route.useNavigate();
  const { toolName, runId } = run;
  const query = { toolName, limit: maxOthers + 1 };
  const { data } = useQuery(itemQuery("/runs", { query }));
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  const { data: chosen } = useQuery({
    ...itemQuery("/runs/{runId}", { params: { runId: selected ?? "" } }),
    enabled: selected !== undefined,
  });
  if (data === undefined) return <Skeleton lines={1} />;
  const others = data.filter((one) => one.runId !== runId && one.status !== "running");
  if (others.length === 0 && selected === undefined) {
    return <EmptyState title={messages.noOthers.title}>{messages.noOthers.body}</EmptyState>;
  }
  if (selected === undefined) return <Preselected to={preselect(others)} />;
  const isListed = others.some((one) => one.runId === selected);
  const title = data.find((one) => one.toolName === toolName)?.title ?? toolName;
  const all = [...(isListed || chosen === undefined ? [] : [{ ...chosen, title }]), ...others];
  const nameOf = (userId: string) => memberName(members, me, userId);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <RunPicker
        runs={all}
        value={all.find((one) => one.runId === selected)}
        nameOf={nameOf}
        onChange={(id) => void navigate({ search: { with: id }, replace: true })}
      />
      <div className="grid gap-1.5">
        <span className="ui-label">{messages.current}</span>
        <p className="ui-facts min-h-(--control) content-center">
          <StatusBadge status={run.status} />
          <Name>{title}</Name>
          <span>{formatTime(run.createdAt)}</span>
          <Name>{nameOf(run.userId)}</Name>
        </p>
      </div>
    </div>
  );
}

/** The newest successful run, or else the newest. */
function preselect(others: readonly RunSummary[]): string | undefined {
  return (others.find(({ status }) => status === "completed") ?? others[0])?.runId;
}

function Preselected({ to }: { to: string | undefined }): ReactNode {
  const { runId } = route.useParams();
  return <Navigate to="/runs/$runId/compare" params={{ runId }} search={{ with: to }} replace />;
}

/** The page would show more text too slowly. */
const maxCharacters = 200_000;

function RunDifferences({ run, otherId }: { run: Run; otherId: string }): ReactNode {
  const { runId } = run;
  const other = useQuery(itemQuery("/runs/{runId}", { params: { runId: otherId } }));
  const log = useQuery(itemQuery("/runs/{runId}/logs", { params: { runId } }));
  const otherLog = useQuery(itemQuery("/runs/{runId}/logs", { params: { runId: otherId } }));
  const error = other.error ?? log.error ?? otherLog.error;
  if (error !== null) return <ProblemNote error={error} />;
  if (other.data === undefined || log.data === undefined || otherLog.data === undefined) {
    return <Skeleton />;
  }
  const all = differentParts(runParts(other.data, otherLog.data), runParts(run, log.data));
  const shown = all.filter(({ before, after }) => before.length + after.length <= maxCharacters);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4" aria-live="polite">
      <h2 className="sr-only">{messages.differences}</h2>
      {all.length === 0 ? <p className="text-soft">{messages.same}</p> : null}
      {shown.length < all.length ? <p className="text-warn">{messages.truncated}</p> : null}
      {shown.map((part) => (
        <Difference key={part.label} {...part} />
      ))}
    </div>
  );
}
