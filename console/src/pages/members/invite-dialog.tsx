import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CreatedInvitation, Me, Role } from "@toolhost/contract";
import { mayManage } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { fieldError, hasFieldError } from "#api/field-errors";
import { Button } from "#components/button";
import { CodeBlock } from "#components/copy";
import { Dialog } from "#components/dialog";
import { TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { FormDialog } from "#components/form-dialog";
import { roleChoices } from "#lib/roles";
import { messages } from "./messages.ts";

const text = messages.invite;

/** Invites an email address. If the server sends no email, the dialog shows the link once. */
export function InviteDialog({ me, onClose }: { me: Me; onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const {
    mutate,
    isPending,
    error,
    data: invitation,
  } = useMutation({
    mutationFn: () =>
      api.send("POST /workspaces/{id}/invitations", {
        params: { id: me.workspace.id },
        body: { email: email.trim(), role },
      }),
    onSuccess: () =>
      client.invalidateQueries({ queryKey: ["workspaces", me.workspace.id, "invitations"] }),
  });
  if (invitation !== undefined) return <Invited invitation={invitation} onClose={onClose} />;
  return (
    <FormDialog
      title={text.title}
      action={text.submit}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasFieldError(error, ["/email"]) ? null : error}
      onSubmit={mutate}
    >
      <TextField
        label={text.email}
        hint={text.emailHint}
        type="email"
        isRequired
        value={email}
        onChange={setEmail}
        error={fieldError(error, "/email")}
      />
      <SelectField
        label={text.role}
        choices={roleChoices.filter(({ id }) => mayManage(me.workspace.role, id))}
        value={role}
        onChange={setRole}
      />
    </FormDialog>
  );
}

function Invited({
  invitation: { email, url },
  onClose,
}: {
  invitation: CreatedInvitation;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog
      title={text.created(email)}
      isOpen
      onClose={onClose}
      {...(url === null ? {} : { holds: "secret" })}
    >
      {url === null ? (
        <p className="text-soft">{text.emailed}</p>
      ) : (
        <>
          <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
            {text.shareLink}
          </p>
          <CodeBlock label={text.link} code={url} isWrapped />
        </>
      )}
      <div className="flex justify-end">
        <Button look="primary" onPress={onClose}>
          {text.done}
        </Button>
      </div>
    </Dialog>
  );
}
