import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { errorMessage } from "#api/problem";
import { Button, IconButton } from "./button.tsx";
import { classes } from "#lib/class-names";
import { restoreFocus } from "#lib/restore-focus";
import { messages } from "./messages.ts";
import { Name } from "./name.tsx";

type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  isWide?: boolean;
  /** What closing it loses: typed input, or a secret that is shown only once. */
  holds?: "input" | "secret";
};

/**
 * A modal dialog. Escape and a press outside close it. A dialog with input ignores the press outside, and one with a secret also
 * ignores Escape.
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
      className="ui-backdrop grid place-items-center p-4"
    >
      <Modal className={classes("ui-dialog", isWide ? "max-w-4xl" : "max-w-lg")}>
        <AriaDialog className="grid grid-cols-1 gap-4 p-5 outline-none">
          <div className="flex items-start justify-between gap-3">
            <Heading slot="title" className="pt-1 text-lg font-semibold">
              <Name>{title}</Name>
            </Heading>
            <IconButton label={messages.close} isSmall className="-mr-1 shrink-0" onPress={onClose}>
              <X size={16} aria-hidden />
            </IconButton>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons of a dialog. They stay in sight if the dialog is higher than the window. */
export function DialogActions({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="sticky -bottom-4 z-10 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 rounded-b-xl border-t border-line bg-overlay px-5 py-3">
      {children}
    </div>
  );
}

type ConfirmProps = {
  title: string;
  children: ReactNode;
  /** The button's label, such as "Revoke key". */
  action: string;
  cancel?: string;
  isOpen: boolean;
  onClose: () => void;
  /** The dialog closes on success and shows what this throws. */
  onConfirm: () => Promise<unknown>;
};

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  action,
  cancel = messages.cancel,
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
        <p role="alert" className="ui-error">
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
