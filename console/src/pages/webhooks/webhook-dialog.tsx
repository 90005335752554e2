import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Webhook, WebhookEvent } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { fieldError, hasFieldError } from "#api/field-errors";
import { Checkbox, TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";

const text = messages.form;
const allEvents = Object.keys(messages.events) as WebhookEvent[];

type Props = {
  /** The webhook to edit; undefined to create one. */
  webhook?: Webhook;
  onClose: () => void;
  onCreated?: (secret: string) => void;
};

/** Creates or edits a webhook. */
export function WebhookDialog({ webhook, onClose, onCreated }: Props): ReactNode {
  const client = useQueryClient();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [description, setDescription] = useState(webhook?.description ?? "");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? allEvents);
  const [tools, setTools] = useState(webhook?.tools?.join("\n") ?? "");
  const [includeOutput, setIncludeOutput] = useState(webhook?.includeOutput ?? false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const names = tools.split(/\s+/).filter(Boolean);
      const body = {
        url: url.trim(),
        description,
        events: [...events],
        tools: names.length === 0 ? null : names,
        includeOutput,
      };
      if (webhook === undefined) return (await api.send("POST /webhooks", { body })).secret;
      await api.send("PATCH /webhooks/{id}", { params: { id: webhook.id }, body });
      return undefined;
    },
    onSuccess: async (secret) => {
      await client.invalidateQueries({ queryKey: ["webhooks"] });
      if (secret !== undefined) return onCreated?.(secret);
      showToast(text.saved);
      onClose();
    },
  });
  const toggle = (event: WebhookEvent, isSelected: boolean) =>
    setEvents(allEvents.filter((one) => (one === event ? isSelected : events.includes(one))));
  return (
    <FormDialog
      title={webhook === undefined ? text.createTitle : text.editTitle}
      action={webhook === undefined ? text.createAction : text.editAction}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasFieldError(error, ["/url", "/description", "/events", "/tools"]) ? null : error}
      onSubmit={mutate}
    >
      <TextField
        label={text.url}
        hint={text.urlHint}
        placeholder={text.urlPlaceholder}
        value={url}
        onChange={setUrl}
        type="url"
        isRequired
        isCode
        error={fieldError(error, "/url")}
      />
      <TextField
        label={text.description}
        hint={text.descriptionHint}
        value={description}
        onChange={setDescription}
        maxLength={200}
        error={fieldError(error, "/description")}
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-medium">{text.events}</legend>
        {allEvents.map((event) => (
          <Checkbox
            key={event}
            isSelected={events.includes(event)}
            onChange={(isSelected) => toggle(event, isSelected)}
          >
            {messages.events[event]}
          </Checkbox>
        ))}
        {fieldError(error, "/events") === undefined ? null : (
          <p role="alert" className="text-sm text-bad">
            {text.noEvent}
          </p>
        )}
      </fieldset>
      <TextField
        label={text.tools}
        hint={text.toolsHint}
        value={tools}
        onChange={setTools}
        rows={2}
        isCode
        error={fieldError(error, "/tools")}
      />
      <Checkbox
        isSelected={includeOutput}
        onChange={setIncludeOutput}
        hint={text.includeOutputHint}
      >
        {text.includeOutput}
      </Checkbox>
    </FormDialog>
  );
}
