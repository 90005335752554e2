import type { ReactNode } from "react";
import { showToast } from "#components/toasts";
import { PasswordStep } from "./password-step.tsx";

/** Turns the second factor off. */
export function DisableDialog({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <PasswordStep
      title="Turn off the second factor?"
      action="Turn it off"
      path="/two-factor/disable"
      isDangerous
      onDone={() => {
        showToast("The second factor is off");
        onClose();
      }}
      onClose={onClose}
    >
      From then on the password alone signs in. Your backup codes are worth nothing any more.
    </PasswordStep>
  );
}
