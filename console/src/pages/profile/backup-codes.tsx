import type { ReactNode } from "react";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { OneTimeSecret } from "#components/one-time-secret";
import { messages } from "./messages.ts";

const text = messages.twoFactor;

/** Backup codes, each of which signs in once without the app. */
export function BackupCodes({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog title={text.saveCodesTitle} isOpen onClose={onClose} holds="secret">
      <p className="text-sm text-soft">{text.saveCodesHint}</p>
      <OneTimeSecret label={text.codes} secret={codes.join("\n")} />
      <div className="flex justify-end">
        <Button look="primary" onPress={onClose}>
          {text.codesSaved}
        </Button>
      </div>
    </Dialog>
  );
}
