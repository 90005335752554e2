import type { ReactNode } from "react";
import { showToast } from "#components/toasts";
import { PasswordStep } from "./password-step.tsx";
import { messages } from "./messages.ts";

const text = messages.twoFactor;

/** Turns two-factor authentication off. */
export function DisableDialog({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <PasswordStep
      title={text.disableTitle}
      action={text.turnOff}
      path="/two-factor/disable"
      isDangerous
      onDone={() => {
        showToast(text.turnedOff);
        onClose();
      }}
      onClose={onClose}
    >
      {text.disableHint}
    </PasswordStep>
  );
}
