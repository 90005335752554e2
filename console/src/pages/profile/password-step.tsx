import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { sendAuth } from "#api/auth";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { messages } from "./messages.ts";

type Props<ResponseBody> = {
  title: string;
  action: string;
  /** The path below `/api/auth` that takes the password. */
  path: string;
  isDangerous?: boolean;
  onDone: (body: ResponseBody) => void;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog for an action that requires the password again. */
export function PasswordStep<ResponseBody>({
  title,
  action,
  path,
  isDangerous = false,
  onDone,
  onClose,
  children,
}: Props<ResponseBody>): ReactNode {
  const [password, setPassword] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sendAuth<ResponseBody>(path, { password }),
    onSuccess: onDone,
  });
  return (
    <FormDialog
      title={title}
      action={action}
      isDangerous={isDangerous}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
    >
      <p className="text-sm text-soft">{children}</p>
      <TextField
        label={messages.password.confirm}
        type="password"
        autoComplete="current-password"
        isRequired
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}
