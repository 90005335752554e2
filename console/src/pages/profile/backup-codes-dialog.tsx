import type { ReactNode } from "react";
import { useState } from "react";
import { BackupCodes } from "./backup-codes.tsx";
import { PasswordStep } from "./password-step.tsx";
import { messages } from "./messages.ts";

const text = messages.twoFactor;

/** Generates new backup codes, which replace the old ones. */
export function BackupCodesDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [codes, setCodes] = useState<string[]>();
  if (codes !== undefined) return <BackupCodes codes={codes} onClose={onClose} />;
  return (
    <PasswordStep<{ backupCodes: string[] }>
      title={text.codesTitle}
      action={text.generate}
      path="/two-factor/generate-backup-codes"
      onDone={({ backupCodes }) => setCodes(backupCodes)}
      onClose={onClose}
    >
      {text.codesHint}
    </PasswordStep>
  );
}
