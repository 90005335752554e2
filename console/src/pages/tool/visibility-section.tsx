import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { ConfirmDialog } from "#components/dialog";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";
import { messages as allMessages } from "./messages-sharing.ts";

const messages = allMessages.visibility;

type Visibility = ToolDetail["visibility"];

const choices: readonly { id: Visibility; label: string; hint: string }[] = [
  { id: "private", label: messages.private, hint: messages.privateHint },
  { id: "workspace", label: messages.workspace, hint: messages.workspaceHint },
  { id: "public", label: messages.public, hint: messages.publicHint },
];

/** Who can use the tool. Making it public or restricting access asks for confirmation; other changes apply immediately. */
export function VisibilitySection({
  tool,
  canChange,
}: {
  tool: ToolDetail;
  canChange: boolean;
}): ReactNode {
  const client = useQueryClient();
  const [pending, setPending] = useState<Visibility>();
  const change = useMutation({
    mutationFn: (visibility: Visibility) =>
      api.send("PATCH /tools/{name}", {
        params: { name: tool.name },
        body: { visibility },
        headers: { "if-match": `"${tool.version}"` },
      }),
    onSuccess: async ({ visibility }) => {
      showToast(messages.changed(choices.find(({ id }) => id === visibility)?.label ?? visibility));
      await client.invalidateQueries({ queryKey: ["tools"] });
    },
    onError: (error) => {
      showToast(errorMessage(error), "bad");
      void client.invalidateQueries({ queryKey: ["tools"] });
    },
  });
  if (tool.installed === true) {
    return (
      <Card title={messages.title}>
        <p className="text-sm">{messages.installed}</p>
      </Card>
    );
  }
  const choose = (id: string) => {
    const selected = choices.find((choice) => choice.id === id)?.id;
    if (selected === undefined || selected === tool.visibility) return;
    // Widening access to the server or taking it away should not happen by accident.
    if (selected === "public" || tool.visibility === "public" || selected === "private") {
      setPending(selected);
    } else change.mutate(selected);
  };
  const shown = change.isPending ? change.variables : tool.visibility;
  return (
    <Card title={messages.title}>
      {canChange ? null : <p className="text-sm text-soft">{messages.authorsChange}</p>}
      <RadioGroup
        aria-label={messages.title}
        value={shown}
        isDisabled={!canChange || change.isPending}
        onChange={choose}
        className="grid grid-cols-1 gap-2"
      >
        {choices.map(({ id, label, hint }) => (
          <Choice
            key={id}
            id={id}
            label={label}
            hint={hint}
            isDisabled={id === "private" && tool.mine !== true}
          />
        ))}
      </RadioGroup>
      <ConfirmDialog
        title={
          pending === "public"
            ? messages.publishTitle(tool.title)
            : messages.restrictTitle(tool.title)
        }
        action={pending === "public" ? messages.publish : messages.restrict}
        isOpen={pending !== undefined}
        onClose={() => setPending(undefined)}
        onConfirm={async () => {
          if (pending !== undefined) await change.mutateAsync(pending);
        }}
      >
        {pending === "public" ? messages.publishBody : messages.restrictBody}
      </ConfirmDialog>
    </Card>
  );
}

function Choice({
  id,
  label,
  hint,
  isDisabled,
}: {
  id: string;
  label: string;
  hint: string;
  isDisabled: boolean;
}): ReactNode {
  return (
    <Radio value={id} isDisabled={isDisabled} className="ui-pick">
      <span aria-hidden className="ui-mark radio" />
      <span>
        <span className="font-medium">{label}</span>
        <span className="block text-soft">{hint}</span>
      </span>
    </Radio>
  );
}
