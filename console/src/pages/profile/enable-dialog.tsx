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
import { messages } from "./messages.ts";

const text = messages.twoFactor;

type Setup = { totpURI: string; backupCodes: string[] };

/** Turns two-factor authentication on: password, code from the app, then the backup codes, which are shown once. */
export function EnableDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [setup, setSetup] = useState<Setup>();
  const [isOn, setOn] = useState(false);
  if (setup === undefined) {
    return (
      <PasswordStep<Setup>
        title={text.enableTitle}
        action={text.continue}
        path="/two-factor/enable"
        onDone={setSetup}
        onClose={onClose}
      >
        {text.enableHint}
      </PasswordStep>
    );
  }
  if (!isOn) return <CodeStep uri={setup.totpURI} onDone={() => setOn(true)} onClose={onClose} />;
  return <BackupCodes codes={setup.backupCodes} onClose={onClose} />;
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
      showToast(text.turnedOn);
      onDone();
    },
  });
  return (
    <FormDialog
      title={text.setUpTitle}
      action={text.turnOn}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
    >
      <p className="text-sm text-soft">{text.setUpHint}</p>
      <div className="grid justify-items-center gap-2">
        <QrCode text={uri} label={text.qrCode} />
        <a href={uri} className="text-sm text-strong underline">
          {text.openApp}
        </a>
      </div>
      <CodeBlock
        label={text.secret}
        code={new URL(uri).searchParams.get("secret") ?? uri}
        isWrapped
      />
      <TextField
        label={text.code}
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
