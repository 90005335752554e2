import type { ReactNode } from "react";
import { useState } from "react";
import { BackupCodes } from "./backup-codes.tsx";
import { PasswordStep } from "./password-step.tsx";

/** Makes new backup codes, which end the old ones. */
export function BackupCodesDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [codes, setCodes] = useState<string[]>();
  if (codes !== undefined) return <BackupCodes codes={codes} onClose={onClose} />;
  return (
    <PasswordStep<{ backupCodes: string[] }>
      title="Make new backup codes"
      action="Make them"
      path="/two-factor/generate-backup-codes"
      onDone={({ backupCodes }) => setCodes(backupCodes)}
      onClose={onClose}
    >
      The ones that you have stop working.
    </PasswordStep>
  );
}
