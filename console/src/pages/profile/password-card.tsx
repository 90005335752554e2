import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { sendAuth, signInMethodsQuery } from "#api/auth";
import { Button } from "#components/button";
import { Checkbox, TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";

const text = messages.password;

/** The sign-in methods, and a way to change the password of an account that has one. */
export function PasswordCard(): ReactNode {
  const { data: signInMethods } = useQuery(signInMethodsQuery);
  const [isOpen, setOpen] = useState(false);
  const providers = signInMethods?.map(({ providerId }) => providerId) ?? [];
  const hasPassword = signInMethods === undefined || providers.includes("credential");
  const others = providers.filter((id) => id !== "credential");
  return (
    <Card
      title={text.title}
      actions={hasPassword ? <Button onPress={() => setOpen(true)}>{text.change}</Button> : null}
    >
      <p className="text-soft">
        {hasPassword ? text.lead : text.noPassword}
        {others.length === 0 ? "" : text.providers(others)}
      </p>
      {isOpen ? <PasswordDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function PasswordDialog({ onClose }: { onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const [repeated, setRepeated] = useState("");
  const [revokeOtherSessions, setRevoke] = useState(true);
  const [isSubmitted, setSubmitted] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      sendAuth("/change-password", { currentPassword, newPassword, revokeOtherSessions }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["sessions"] });
      showToast(text.changed);
      onClose();
    },
  });
  const isSame = newPassword === repeated;
  return (
    <FormDialog
      title={text.change}
      action={text.change}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={() => {
        setSubmitted(true);
        if (isSame) mutate();
      }}
    >
      <Password
        label={text.current}
        autoComplete="current-password"
        value={currentPassword}
        onChange={setCurrent}
      />
      <Password
        label={text.new}
        hint={text.newHint}
        autoComplete="new-password"
        minLength={8}
        value={newPassword}
        onChange={setNew}
      />
      <Password
        label={text.repeat}
        autoComplete="new-password"
        value={repeated}
        onChange={setRepeated}
        error={isSubmitted && !isSame ? text.mismatch : undefined}
      />
      <Checkbox isSelected={revokeOtherSessions} onChange={setRevoke}>
        {text.signOutOthers}
      </Checkbox>
    </FormDialog>
  );
}

type PasswordProps = {
  label: string;
  hint?: string;
  autoComplete: "current-password" | "new-password";
  minLength?: number;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
};

function Password(props: PasswordProps): ReactNode {
  return <TextField type="password" isRequired maxLength={200} {...props} />;
}
