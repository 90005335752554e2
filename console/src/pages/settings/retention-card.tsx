import type { WorkspaceSettings } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { fieldError } from "#api/field-errors";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { Card } from "#components/page";
import { DescriptionList } from "./description-list.tsx";
import { formatDays, parseDays } from "./retention-days.ts";
import { messages } from "./messages.ts";
import { useUpdateSettings } from "./use-update-settings.ts";

const text = messages.retention;

type Props = {
  workspaceId: string;
  retention: WorkspaceSettings["retention"];
  isManaged: boolean;
};

/** Retention periods. Admins can shorten those of runs and logs below the server's default. */
export function RetentionCard(props: Props): ReactNode {
  const { runs, logs, files, audit, drafts } = props.retention;
  const rest: [string, string][] = [
    [text.files, files.hours % 24 === 0 ? formatDays(files.hours / 24) : text.hours(files.hours)],
    [text.auditEvents, formatDays(audit.server)],
    [text.drafts, formatDays(drafts.server)],
  ];
  return (
    <Card title={text.title}>
      {props.isManaged ? (
        // The key resets the form when the settings were saved elsewhere.
        <RetentionForm key={`${runs.own} ${logs.own}`} {...props} />
      ) : null}
      <DescriptionList
        items={
          props.isManaged
            ? rest
            : [
                [text.runs, formatDays(runs.effective)],
                [text.logs, formatDays(logs.effective)],
                ...rest,
              ]
        }
      />
    </Card>
  );
}

function RetentionForm({ workspaceId, retention: { runs, logs } }: Props): ReactNode {
  const [runsText, setRuns] = useState(runs.own?.toString() ?? "");
  const [logsText, setLogs] = useState(logs.own?.toString() ?? "");
  const runsDays = parseDays(runsText);
  const logsDays = parseDays(logsText);
  const update = useUpdateSettings(workspaceId, text.saved, ["/retention"]);
  const { mutate, isPending, error, reset } = update;
  const isChanged = runsDays !== runs.own || logsDays !== logs.own;
  return (
    <form
      className="flex flex-wrap items-start gap-3 sm:flex-nowrap"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending && runsDays !== undefined && logsDays !== undefined)
          mutate({ retention: { runsDays, logsDays } });
      }}
    >
      <DaysField
        label={text.runsInDays}
        server={runs.server}
        value={runsText}
        onChange={(typed) => {
          reset();
          setRuns(typed);
        }}
        error={fieldError(error, "/retention/runsDays")}
      />
      <DaysField
        label={text.logsInDays}
        server={logs.server}
        value={logsText}
        onChange={(typed) => {
          reset();
          setLogs(typed);
        }}
        error={fieldError(error, "/retention/logsDays")}
      />
      <Button className="ui-beside" type="submit" isPending={isPending} isDisabled={!isChanged}>
        {text.save}
      </Button>
    </form>
  );
}

function DaysField({
  label,
  server,
  value,
  onChange,
  error,
}: {
  label: string;
  server: number | null;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}): ReactNode {
  const isWrong = parseDays(value) === undefined;
  return (
    <TextField
      label={label}
      placeholder={text.default(formatDays(server))}
      inputMode="numeric"
      className="w-full max-w-64"
      value={value}
      onChange={onChange}
      error={isWrong ? text.invalidDays : error}
    />
  );
}
