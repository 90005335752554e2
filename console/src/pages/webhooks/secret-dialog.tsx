import type { ReactNode } from "react";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { OneTimeSecret } from "#components/one-time-secret";
import { messages } from "./messages.ts";

const text = messages.secret;

/** Shows a new secret once. */
export function SecretDialog({
  secret,
  isRotated,
  onClose,
}: {
  secret: string;
  isRotated: boolean;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog
      title={isRotated ? text.rotatedTitle : text.createdTitle}
      isOpen
      onClose={onClose}
      holds="secret"
    >
      <OneTimeSecret label={text.label} secret={secret} />
      <p className="text-sm text-soft">{isRotated ? text.overlap : text.use}</p>
      <div className="flex justify-end">
        <Button look="primary" onPress={onClose}>
          {text.done}
        </Button>
      </div>
    </Dialog>
  );
}
