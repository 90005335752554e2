import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { errorMessage } from "#api/problem";
import { Button, IconButton } from "./button.tsx";
import { classes } from "#lib/class-names";
import { restoreFocus } from "#lib/restore-focus";

type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  isWide?: boolean;
  /** What would be lost with it: typed input, or a secret that is shown only once. */
  holds?: "input" | "secret";
};

/**
 * A dialog over the page. Escape, and a press beside it, close it; not the press where it holds something, and not even
 * Escape where that is a secret.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  isWide = false,
  holds,
}: DialogProps): ReactNode {
  useEffect(() => (isOpen ? restoreFocus : undefined), [isOpen]);
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable={holds === undefined}
      isKeyboardDismissDisabled={holds === "secret"}
      onOpenChange={(open) => (open ? undefined : onClose())}
      className="fixed inset-0 z-50 grid place-items-center overflow-auto bg-black/40 p-4"
    >
      <Modal
        className={classes(
          "w-full rounded-xl border border-line bg-paper shadow-xl",
          isWide ? "max-w-4xl" : "max-w-lg",
        )}
      >
        <AriaDialog className="grid grid-cols-1 gap-4 p-5 outline-none">
          <div className="flex items-start justify-between gap-3">
            <Heading slot="title" className="text-lg font-semibold">
              {title}
            </Heading>
            <IconButton label="Close" className="shrink-0" onPress={onClose}>
              <X size={18} aria-hidden />
            </IconButton>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

type ConfirmProps = {
  title: string;
  children: ReactNode;
  /** What the button says: a verb, as "Revoke". */
  action: string;
  /** What the button says that leaves things as they are. */
  cancel?: string;
  isOpen: boolean;
  onClose: () => void;
  /** Closes the dialog when it succeeds; what it throws is shown in it. */
  onConfirm: () => Promise<unknown>;
};

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({
  title,
  children,
  action,
  cancel = "Keep it",
  isOpen,
  onClose,
  onConfirm,
}: ConfirmProps): ReactNode {
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const close = () => {
    setProblem(undefined);
    onClose();
  };
  const confirm = () => {
    setPending(true);
    onConfirm()
      .then(close, (error: unknown) => setProblem(errorMessage(error)))
      .finally(() => setPending(false));
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <div className="text-sm">{children}</div>
      {problem === undefined ? null : (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={close}>{cancel}</Button>
        <Button look="danger" isPending={isPending} onPress={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
