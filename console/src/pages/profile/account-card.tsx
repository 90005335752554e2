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

/** The end of the account. */
export function AccountCard(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Delete the account"
      actions={
        <Button look="danger" onPress={() => setOpen(true)}>
          Delete my account
        </Button>
      }
    >
      <p className="text-soft">
        It ends your access to every workspace. It cannot be brought back.
      </p>
      {isOpen ? <DeleteDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { data: signInMethods } = useQuery(signInMethodsQuery);
  const hasPassword =
    signInMethods?.some(({ providerId }) => providerId === "credential") !== false;
  const [password, setPassword] = useState("");
  const [isSure, setSure] = useState(false);
  const [isTried, setTried] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.send("DELETE /me", { body: hasPassword ? { password } : {} }),
    onSuccess: () => {
      clearCurrentWorkspace();
      location.assign("/sign-in");
    },
  });
  return (
    <FormDialog
      title="Delete your account?"
      action="Delete my account"
      isDangerous
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={() => {
        setTried(true);
        if (isSure) mutate();
      }}
    >
      <div className="grid gap-2 text-sm">
        <p>What is lost:</p>
        <ul className="list-disc pl-5">
          <li>your sign-in, API keys, connected apps and credentials;</li>
          <li>your private tools and drafts;</li>
          <li>runs of yours that are at work now.</li>
        </ul>
        <p className="text-soft">
          Tools that you shared stay with their workspaces. Runs and audit events stay, and name an
          id that leads to nobody.
        </p>
      </div>
      {hasPassword ? (
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          isRequired
          value={password}
          onChange={setPassword}
        />
      ) : (
        <p className="text-sm text-soft">
          It needs a sign-in of the last ten minutes. Sign out and in again if yours is older.
        </p>
      )}
      <Checkbox isSelected={isSure} onChange={setSure}>
        I know that it cannot be brought back
      </Checkbox>
      {isTried && !isSure ? (
        <p role="alert" className="text-sm text-bad">
          Tick this to show that you mean it.
        </p>
      ) : null}
    </FormDialog>
  );
}
