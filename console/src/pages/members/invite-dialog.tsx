import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CreatedInvitation, Me, Role } from "@toolhost/contract";
import { mayManage } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { useState } from "react";
import { send } from "#api/client";
import { fieldError, hasFieldError } from "#api/field-errors";
import { Button } from "#components/button";
import { CodeBlock } from "#components/copy";
import { Dialog } from "#components/dialog";
import { TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { FormDialog } from "#components/form-dialog";
import { roleChoices } from "#lib/roles";

/** Invites an e-mail address. Where the server sends no mail, the link is shown here, once. */
export function InviteDialog({ me, onClose }: { me: Me; onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const {
    mutate,
    isPending,
    error,
    data: made,
  } = useMutation({
    mutationFn: () =>
      send<CreatedInvitation>("POST", `/workspaces/${me.workspace.id}/invitations`, {
        body: { email: email.trim(), role },
      }),
    onSuccess: () =>
      client.invalidateQueries({ queryKey: ["workspaces", me.workspace.id, "invitations"] }),
  });
  if (made !== undefined) return <Invited invitation={made} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite somebody"
      action="Invite"
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasFieldError(error, ["/email"]) ? null : error}
      onSubmit={mutate}
    >
      <TextField
        label="E-mail address"
        hint="They sign in with this address, or make an account with it."
        type="email"
        isRequired
        value={email}
        onChange={setEmail}
        error={fieldError(error, "/email")}
      />
      <SelectField
        label="Role"
        choices={roleChoices.filter(({ id }) => mayManage(me.workspace.role, id))}
        value={role}
        onChange={setRole}
      />
      <p className="text-sm text-soft">{roleChoices.find(({ id }) => id === role)?.hint}</p>
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
      title={`${email} is invited`}
      isOpen
      onClose={onClose}
      {...(url === null ? {} : { holds: "secret" })}
    >
      {url === null ? (
        <p className="text-soft">They get a mail with a link that holds for a week.</p>
      ) : (
        <>
          <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
            This server sends no mail. Give them this link yourself: it is shown only this once, and
            holds for a week.
          </p>
          <CodeBlock label="Invitation" code={url} isWrapped />
        </>
      )}
      <div className="flex justify-end">
        <Button look="primary" onPress={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
