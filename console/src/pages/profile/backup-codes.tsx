import type { ReactNode } from "react";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { OneTimeSecret } from "#components/one-time-secret";

/** The codes that sign in without the app, each once. */
export function BackupCodes({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog title="Keep your backup codes" isOpen onClose={onClose} holds="secret">
      <p className="text-sm text-soft">
        If you lose your phone, each of these signs you in once in place of a code. Keep them where
        your passwords are.
      </p>
      <OneTimeSecret label="Backup codes" secret={codes.join("\n")} />
      <div className="flex justify-end">
        <Button look="primary" onPress={onClose}>
          I have kept them
        </Button>
      </div>
    </Dialog>
  );
}
