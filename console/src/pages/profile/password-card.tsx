import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { sendAuth, signInMethodsQuery } from "#api/auth";
import { Button } from "#components/button";
import { Checkbox, TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";

/** How the person signs in, and a new password for whoever has one. */
export function PasswordCard(): ReactNode {
  const { data: signInMethods } = useQuery(signInMethodsQuery);
  const [isOpen, setOpen] = useState(false);
  const providers = signInMethods?.map(({ providerId }) => providerId) ?? [];
  const hasPassword = signInMethods === undefined || providers.includes("credential");
  const others = providers.filter((id) => id !== "credential");
  return (
    <Card
      title="Password"
      actions={
        hasPassword ? <Button onPress={() => setOpen(true)}>Change the password</Button> : null
      }
    >
      <p className="text-soft">
        {hasPassword
          ? "Use one that you use nowhere else."
          : "You sign in by a provider and have no password here."}
        {others.length === 0 ? "" : ` Connected for signing in: ${others.join(", ")}.`}
      </p>
      {isOpen ? <PasswordDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function PasswordDialog({ onClose }: { onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const [again, setAgain] = useState("");
  const [revokeOtherSessions, setRevoke] = useState(true);
  const [isTried, setTried] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      sendAuth("/change-password", { currentPassword, newPassword, revokeOtherSessions }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["sessions"] });
      showToast("The password is changed");
      onClose();
    },
  });
  const isSame = newPassword === again;
  return (
    <FormDialog
      title="Change the password"
      action="Change it"
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={() => {
        setTried(true);
        if (isSame) mutate();
      }}
    >
      <Password
        label="Present password"
        autoComplete="current-password"
        value={currentPassword}
        onChange={setCurrent}
      />
      <Password
        label="New password"
        hint="At least 8 characters."
        autoComplete="new-password"
        minLength={8}
        value={newPassword}
        onChange={setNew}
      />
      <Password
        label="New password again"
        autoComplete="new-password"
        value={again}
        onChange={setAgain}
        error={isTried && !isSame ? "It is not the same." : undefined}
      />
      <Checkbox isSelected={revokeOtherSessions} onChange={setRevoke}>
        Sign out everywhere else
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
