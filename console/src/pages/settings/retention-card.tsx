import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { WorkspaceSettings } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { send } from "#api/client";
import { fieldError } from "#api/field-errors";
import { ApiProblem, errorMessage } from "#api/problem";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";
import { DescriptionList } from "./description-list.tsx";
import { formatDays, parseDays } from "./retention-days.ts";

type Props = {
  workspaceId: string;
  retention: WorkspaceSettings["retention"];
  isManaged: boolean;
};

/** How long things are kept; admins may have runs and logs kept shorter than the server does. */
export function RetentionCard(props: Props): ReactNode {
  const { runs, logs, files, audit, drafts } = props.retention;
  const rest: [string, string][] = [
    ["Files", files.hours % 24 === 0 ? formatDays(files.hours / 24) : `${files.hours} hours`],
    ["Audit events", formatDays(audit.server)],
    ["Drafts that nobody opens", formatDays(drafts.server)],
  ];
  return (
    <Card title="What is kept how long">
      {props.isManaged ? (
        // What was saved elsewhere begins anew in it.
        <RetentionForm key={`${runs.own} ${logs.own}`} {...props} />
      ) : null}
      <DescriptionList
        items={
          props.isManaged
            ? rest
            : [["Runs", formatDays(runs.effective)], ["Logs", formatDays(logs.effective)], ...rest]
        }
      />
    </Card>
  );
}

function RetentionForm({ workspaceId, retention: { runs, logs } }: Props): ReactNode {
  const client = useQueryClient();
  const path = `/workspaces/${workspaceId}/settings`;
  const [runsText, setRuns] = useState(runs.own?.toString() ?? "");
  const [logsText, setLogs] = useState(logs.own?.toString() ?? "");
  const runsDays = parseDays(runsText);
  const logsDays = parseDays(logsText);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () =>
      send<WorkspaceSettings>("PATCH", path, { body: { retention: { runsDays, logsDays } } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "settings"] });
      showToast("It is kept that long from now on");
    },
    onError: (failure) => {
      const hasPlace = failure instanceof ApiProblem && failure.errors.length > 0;
      if (!hasPlace) showToast(errorMessage(failure), "bad");
    },
  });
  const isChanged = runsDays !== runs.own || logsDays !== logs.own;
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending && runsDays !== undefined && logsDays !== undefined) mutate();
      }}
    >
      <DaysField
        label="Runs, in days"
        server={runs.server}
        text={runsText}
        onChange={(text) => {
          reset();
          setRuns(text);
        }}
        error={fieldError(error, "/retention/runsDays")}
      />
      <DaysField
        label="Logs, in days"
        server={logs.server}
        text={logsText}
        onChange={(text) => {
          reset();
          setLogs(text);
        }}
        error={fieldError(error, "/retention/logsDays")}
      />
      <Button type="submit" isPending={isPending} isDisabled={!isChanged}>
        Save
      </Button>
    </form>
  );
}

function DaysField({
  label,
  server,
  text,
  onChange,
  error,
}: {
  label: string;
  server: number | null;
  text: string;
  onChange: (text: string) => void;
  error: string | undefined;
}): ReactNode {
  const isWrong = parseDays(text) === undefined;
  return (
    <TextField
      label={label}
      hint={`Empty: as the server does, ${formatDays(server)}.`}
      inputMode="numeric"
      className="w-full max-w-64"
      value={text}
      onChange={onChange}
      error={isWrong ? "A whole number of days, at least 1." : error}
    />
  );
}
