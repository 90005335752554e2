import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Alert, AlertCondition } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { fieldError, hasFieldError } from "#api/field-errors";
import { meQuery } from "#api/queries";
import { Switch, TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { SelectField } from "#components/select-field";
import { ToolPicker } from "#components/tool-picker";
import { showToast } from "#components/toasts";
import { openForm, toInput } from "./alert-form.ts";
import type { AlertForm } from "./alert-form.ts";
import { timeZoneChoices } from "./time-zones.ts";
import { messages } from "./messages.ts";
import { Recipients } from "./recipients.tsx";

const text = messages.form;
const kinds = Object.entries(text.kinds).map(([id, label]) => ({
  id: id as AlertCondition["kind"],
  label,
}));
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

type Props = {
  /** The alert to edit; undefined to create one. */
  alert?: Alert;
  onClose: () => void;
};

/** The paths of errors that a field shows. */
const shownPaths = [
  "/name",
  "/toolName",
  "/notify",
  "/condition/percent",
  "/condition/windowMinutes",
  "/condition/minRuns",
  "/condition/hours",
  "/condition/days",
  "/quietHours/start",
  "/quietHours/end",
];

/** Creates or edits an alert. */
export function AlertDialog({ alert, onClose }: Props): ReactNode {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const [form, setForm] = useState(() => openForm(alert, me?.user.id ?? "", ownZone()));
  const change = (part: Partial<AlertForm>) => setForm((before) => ({ ...before, ...part }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const body = toInput(form);
      if (alert === undefined) await api.send("POST /alerts", { body });
      else await api.send("PATCH /alerts/{id}", { params: { id: alert.id }, body });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["alerts"] });
      showToast(alert === undefined ? text.created : text.saved);
      onClose();
    },
  });
  const number = (
    name: "percent" | "windowMinutes" | "minRuns" | "hours" | "days",
    hint?: string,
  ) => (
    <TextField
      label={text[name]}
      hint={hint}
      type="number"
      isRequired
      value={form[name]}
      onChange={(value) => change({ [name]: value })}
      error={fieldError(error, `/condition/${name}`)}
    />
  );
  return (
    <FormDialog
      title={alert === undefined ? text.createTitle : text.editTitle}
      action={alert === undefined ? text.createAction : text.editAction}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasFieldError(error, shownPaths) ? null : error}
      onSubmit={mutate}
    >
      <TextField
        label={text.name}
        isRequired
        value={form.name}
        onChange={(name) => change({ name })}
        error={fieldError(error, "/name")}
      />
      <SelectField
        label={text.condition}
        value={form.kind}
        choices={kinds}
        onChange={(kind) => change({ kind })}
      />
      {form.kind === "failure_rate" ? (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
          {number("percent", text.percentHint)}
          {number("windowMinutes", text.windowHint)}
          {number("minRuns")}
        </div>
      ) : null}
      {form.kind === "no_success" ? number("hours") : null}
      {form.kind === "credential" ? (
        number("days", text.daysHint)
      ) : (
        <ToolPicker
          label={text.tool}
          hint={text.toolHint}
          value={form.toolName}
          onChange={(toolName) => change({ toolName })}
          error={fieldError(error, "/toolName")}
        />
      )}
      {me === undefined ? null : (
        <Recipients workspaceId={me.workspace.id} form={form} error={error} onChange={change} />
      )}
      <Switch
        hint={text.quietHint}
        isSelected={form.isQuiet}
        onChange={(isQuiet) => change({ isQuiet })}
      >
        {text.quiet}
      </Switch>
      {form.isQuiet ? <QuietHoursFields form={form} error={error} onChange={change} /> : null}
    </FormDialog>
  );
}

function QuietHoursFields({
  form,
  error,
  onChange,
}: {
  form: AlertForm;
  error: unknown;
  onChange: (part: Partial<AlertForm>) => void;
}): ReactNode {
  const field = (name: "start" | "end") => (
    <TextField
      label={text[name]}
      type="time"
      isRequired
      value={form[name]}
      onChange={(value) => onChange({ [name]: value })}
      error={fieldError(error, `/quietHours/${name}`)}
    />
  );
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
      {field("start")}
      {field("end")}
      <SelectField
        label={text.timeZone}
        value={form.timeZone}
        choices={timeZoneChoices(form.timeZone)}
        onChange={(timeZone) => onChange({ timeZone })}
      />
    </div>
  );
}
