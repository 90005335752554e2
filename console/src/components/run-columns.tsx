import { Link } from "@tanstack/react-router";
import type { RunSummary } from "@toolhost/contract";
import { toPlainText } from "@toolhost/ui/visible-text";
import { Badge, StatusBadge, When } from "#components/badges";
import { formatDuration } from "#lib/format";
import { messages as allMessages } from "./messages-run-record.ts";
import type { Column } from "./table-column.tsx";
import { Name } from "./name.tsx";

const messages = allMessages.row;

/** The name of what ran: of a tool, or of a draft that was never published. */
function nameOf({ title, draft, toolName }: RunSummary): string {
  const isUnpublished = draft && toolName.startsWith("draft-");
  return title || (isUnpublished ? messages.unpublishedTool : toolName);
}

const outcomeColumns: readonly Column<RunSummary>[] = [
  {
    id: "status",
    label: messages.status,
    width: "6.5rem",
    phone: "end",
    cell: ({ status, queued, question }) =>
      question === undefined ? (
        <StatusBadge status={status} isQueued={queued} />
      ) : (
        <Badge tone="warn">{messages.question}</Badge>
      ),
  },
  {
    id: "error",
    label: messages.error,
    width: "minmax(0,2fr)",
    phone: "line",
    hasContent: ({ error }) => error !== undefined,
    cell: ({ error }) =>
      error === undefined ? null : (
        <bdi className="text-soft" title={toPlainText(error.message)}>
          {toPlainText(error.message)}
        </bdi>
      ),
  },
];

const sourceColumns: readonly Column<RunSummary>[] = [
  {
    id: "source",
    label: messages.source,
    width: "7.5rem",
    cell: ({ via, draft }) => (
      <span className="text-soft">
        {messages.sources[via]}
        {draft ? `, ${messages.draft}` : ""}
      </span>
    ),
  },
  {
    id: "duration",
    label: messages.duration,
    width: "5.5rem",
    isEnd: true,
    cell: ({ durationMs }) => (durationMs === null ? null : formatDuration(durationMs)),
  },
  {
    id: "time",
    label: messages.started,
    width: "8.5rem",
    isEnd: true,
    cell: ({ startedAt, createdAt }) => (
      <span className="text-soft">
        <When at={startedAt ?? createdAt} />
      </span>
    ),
  },
];

/** The columns of a table of runs. Without tools, all runs are of one tool. */
export function runColumns(
  who: (userId: string) => string,
  { hasTools = true } = {},
): readonly Column<RunSummary>[] {
  return [
    {
      id: "tool",
      label: hasTools ? messages.tool : messages.runColumn,
      width: hasTools ? "minmax(0,2fr)" : "8.5rem",
      phone: "title",
      cell: (run) => (
        <Link
          to="/runs/$runId"
          params={{ runId: run.runId }}
          title={run.toolName}
          className="ui-row-link"
        >
          {hasTools ? <Name>{nameOf(run)}</Name> : messages.run(run.runId.slice(-8))}
        </Link>
      ),
    },
    ...outcomeColumns,
    ...(hasTools
      ? [
          {
            id: "name",
            label: messages.toolName,
            width: "minmax(0,1.5fr)",
            phone: "none" as const,
            isOptional: true,
            cell: ({ toolName }: RunSummary) => (
              <code className="text-xs text-soft">{toolName}</code>
            ),
          },
        ]
      : []),
    {
      id: "version",
      label: messages.versionColumn,
      width: "4.5rem",
      phone: "none",
      isOptional: true,
      cell: ({ toolVersion, draft }) => (draft ? messages.draft : toolVersion),
    },
    {
      id: "who",
      label: messages.who,
      width: "minmax(0,1fr)",
      cell: ({ userId }) => who(userId),
    },
    ...sourceColumns,
  ];
}
