import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { fieldError } from "#api/field-errors";
import { memberName, membersQuery } from "#api/members";
import { itemQuery, meQuery } from "#api/queries";
import { Checkbox, TextField } from "#components/fields";
import { chatPlatform } from "#lib/chat-labels";
import { hostOf } from "../webhooks/webhook-row.tsx";
import { chatsOf } from "./alert-form.ts";
import type { AlertForm } from "./alert-form.ts";
import { messages } from "./messages.ts";

const text = messages.form;

/** Chooses who is notified: members, webhooks and channels of chats. */
export function Recipients({
  workspaceId,
  form: { userIds, webhookIds, channels },
  error,
  onChange,
}: {
  workspaceId: string;
  form: AlertForm;
  error: unknown;
  onChange: (part: Partial<AlertForm>) => void;
}): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery(membersQuery(workspaceId));
  const { data: webhooks } = useQuery(itemQuery("/webhooks"));
  const { data: chats } = useQuery(
    itemQuery("/workspaces/{id}/chat", { params: { id: workspaceId } }),
  );
  const given = chatsOf(channels);
  const channelError = (id: string) =>
    given
      .map(({ connectionId }, at) =>
        connectionId === id ? fieldError(error, `/notify/chats/${at}`) : undefined,
      )
      .find((problem) => problem !== undefined);
  // An alert can name a chat that was disconnected since.
  const shownChats = [
    ...(chats ?? []).map(({ id, platform, teamName }) => ({
      id,
      label: text.channel(`${chatPlatform(platform).label} ${teamName}`),
    })),
    ...missing(Object.keys(channels), chats).map((id) => ({ id, label: text.formerChat })),
  ];
  const isOfChannel = shownChats.some(({ id }) => channelError(id) !== undefined);
  const problem = isOfChannel ? undefined : fieldError(error, "/notify");
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 text-sm font-medium">{text.recipients}</legend>
      <Choices
        label={text.people}
        choices={[
          ...(members ?? []).map(({ userId, name, email }) => ({
            id: userId,
            label: name === "" ? email : `${name} (${email})`,
          })),
          ...missing(
            userIds,
            members?.map(({ userId: id }) => ({ id })),
          ).map((id) => ({ id, label: memberName(members, me, id) })),
        ]}
        selected={userIds}
        onChange={(ids) => onChange({ userIds: ids })}
      />
      <Choices
        label={text.webhooks}
        choices={[
          ...(webhooks ?? []).map((webhook) => ({
            id: webhook.id,
            label: webhook.description || hostOf(webhook),
          })),
          ...missing(webhookIds, webhooks).map((id) => ({ id, label: text.formerWebhook(id) })),
        ]}
        selected={webhookIds}
        onChange={(ids) => onChange({ webhookIds: ids })}
      />
      {shownChats.map(({ id, label }) => (
        <TextField
          key={id}
          label={label}
          hint={text.channelHint}
          value={channels[id] ?? ""}
          onChange={(channel) => onChange({ channels: { ...channels, [id]: channel } })}
          error={channelError(id)}
        />
      ))}
      {problem === undefined ? null : (
        <p role="alert" className="text-sm text-bad">
          {given.length + userIds.length + webhookIds.length === 0 ? text.noRecipients : problem}
        </p>
      )}
    </fieldset>
  );
}

/** The chosen recipients that no longer exist. They are shown so that they can be removed. */
function missing(
  chosen: readonly string[],
  existing: readonly { id: string }[] | undefined,
): string[] {
  if (existing === undefined) return [];
  return chosen.filter((id) => existing.every((one) => one.id !== id));
}

function Choices({
  label,
  choices,
  selected,
  onChange,
}: {
  label: string;
  choices: readonly { id: string; label: string }[];
  selected: readonly string[];
  onChange: (ids: readonly string[]) => void;
}): ReactNode {
  if (choices.length === 0) return null;
  return (
    <div role="group" aria-label={label} className="grid max-h-48 gap-1 overflow-y-auto">
      <span className="text-sm text-soft">{label}</span>
      {choices.map((choice) => (
        <Checkbox
          key={choice.id}
          isSelected={selected.includes(choice.id)}
          onChange={(isSelected) => {
            const rest = selected.filter((id) => id !== choice.id);
            onChange(isSelected ? [...rest, choice.id] : rest);
          }}
        >
          {choice.label}
        </Checkbox>
      ))}
    </div>
  );
}
