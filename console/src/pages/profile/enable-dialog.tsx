import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { sendAuth } from "#api/auth";
import { CodeBlock } from "#components/copy";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { showToast } from "#components/toasts";
import { BackupCodes } from "./backup-codes.tsx";
import { PasswordStep } from "./password-step.tsx";
import { QrCode } from "./qr-code.tsx";

type Begun = { totpURI: string; backupCodes: string[] };

/** Turns the second factor on: password, the app's code, and the backup codes, which are shown once. */
export function EnableDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [begun, setBegun] = useState<Begun>();
  const [isOn, setOn] = useState(false);
  if (begun === undefined) {
    return (
      <PasswordStep<Begun>
        title="Turn on the second factor"
        action="Go on"
        path="/two-factor/enable"
        onDone={setBegun}
        onClose={onClose}
      >
        You need an authenticator app, such as the one that keeps your passwords.
      </PasswordStep>
    );
  }
  if (!isOn) return <CodeStep uri={begun.totpURI} onDone={() => setOn(true)} onClose={onClose} />;
  return <BackupCodes codes={begun.backupCodes} onClose={onClose} />;
}

function CodeStep({
  uri,
  onDone,
  onClose,
}: {
  uri: string;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const [code, setCode] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sendAuth("/two-factor/verify-totp", { code: code.replaceAll(/\s/g, "") }),
    onSuccess: () => {
      showToast("The second factor is on");
      onDone();
    },
  });
  return (
    <FormDialog
      title="Add it to your app"
      action="Turn it on"
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
    >
      <p className="text-sm text-soft">
        Scan this with the app, or type the secret into it. Then enter the code that it shows.
      </p>
      <div className="grid justify-items-center gap-2">
        <QrCode text={uri} label="Secret for the authenticator app" />
        <a href={uri} className="text-sm text-strong underline">
          The app is on this device
        </a>
      </div>
      <CodeBlock label="Secret" code={new URL(uri).searchParams.get("secret") ?? uri} isWrapped />
      <TextField
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        isRequired
        isCode
        maxLength={10}
        value={code}
        onChange={setCode}
      />
    </FormDialog>
  );
}
