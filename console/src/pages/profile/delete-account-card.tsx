import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { signInMethodsQuery } from "#api/auth";
import { api } from "#api/client";
import { clearCurrentWorkspace } from "#api/current-workspace";
import { Button } from "#components/button";
import { Checkbox, TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { Card } from "#components/page";
import { messages } from "./messages.ts";

const text = messages.deleteAccount;

/** Deletes the user's account. */
export function DeleteAccountCard(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={text.title}
      actions={
        <Button look="danger" onPress={() => setOpen(true)}>
          {text.action}
        </Button>
      }
    >
      <p className="text-soft">{text.lead}</p>
      {isOpen ? <DeleteDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { data: signInMethods } = useQuery(signInMethodsQuery);
  const hasPassword =
    signInMethods?.some(({ providerId }) => providerId === "credential") !== false;
  const [password, setPassword] = useState("");
  const [isAcknowledged, setAcknowledged] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.send("DELETE /me", { body: hasPassword ? { password } : {} }),
    onSuccess: () => {
      clearCurrentWorkspace();
      location.assign("/sign-in");
    },
  });
  return (
    <FormDialog
      title={text.confirmTitle}
      action={text.action}
      isDangerous
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={() => {
        setSubmitted(true);
        if (isAcknowledged) mutate();
      }}
    >
      <div className="grid gap-2 text-sm">
        <p>{text.lossesLead}</p>
        <ul className="list-disc pl-5">
          {text.losses.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
        <p className="text-soft">{text.retained}</p>
      </div>
      {hasPassword ? (
        <TextField
          label={messages.password.confirm}
          type="password"
          autoComplete="current-password"
          isRequired
          value={password}
          onChange={setPassword}
        />
      ) : (
        <p className="text-sm text-soft">{text.recentSignIn}</p>
      )}
      <Checkbox isSelected={isAcknowledged} onChange={setAcknowledged}>
        {text.acknowledge}
      </Checkbox>
      {isSubmitted && !isAcknowledged ? (
        <p role="alert" className="text-sm text-bad">
          {text.notAcknowledged}
        </p>
      ) : null}
    </FormDialog>
  );
}
