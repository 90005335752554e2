import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { errorMessage } from "#api/problem";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type FormDialogProps = {
  title: string;
  /** What the button says: a verb, as "Save". */
  action: string;
  isOpen: boolean;
  onClose: () => void;
  onSubmit: () => void;
  isPending: boolean;
  /** What went wrong and is said at no field. */
  error?: unknown;
  isDangerous?: boolean;
  children: ReactNode;
};

/** A dialog that is filled in and sent. What was typed stays when it is refused. */
export function FormDialog({
  title,
  action,
  isOpen,
  onClose,
  onSubmit,
  isPending,
  error,
  isDangerous = false,
  children,
}: FormDialogProps): ReactNode {
  const formRef = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The focus moves into a dialog anyway, and what is to be filled in is where it is wanted.
    if (isOpen) formRef.current?.querySelector<HTMLElement>("input, textarea")?.focus();
  }, [isOpen]);
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} holds="input">
      <form
        ref={formRef}
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) onSubmit();
        }}
      >
        {children}
        {error === undefined || error === null ? null : (
          <p role="alert" className="text-sm text-bad">
            {errorMessage(error)}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look={isDangerous ? "danger" : "primary"} isPending={isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
