import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { errorMessage } from "#api/problem";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { messages } from "./messages.ts";

type FormDialogProps = {
  title: string;
  /** The submit button's label. */
  action: string;
  isOpen: boolean;
  onClose: () => void;
  onSubmit: () => void;
  isPending: boolean;
  /** An error that no field shows. */
  error?: unknown;
  isDangerous?: boolean;
  children: ReactNode;
};

/** A dialog with a form. It keeps the input when submitting fails. */
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
    // The first field that is left to fill in gets the focus, instead of the close button.
    if (isOpen) firstField(formRef.current)?.focus();
  }, [isOpen]);
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} holds="input">
      <form
        ref={formRef}
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          // React also passes the events of a dialog to the form from which it was opened.
          event.stopPropagation();
          if (!isPending) onSubmit();
        }}
      >
        {children}
        {error === undefined || error === null ? null : (
          <p role="alert" className="ui-error">
            {errorMessage(error)}
          </p>
        )}
        <DialogActions>
          <Button onPress={onClose}>{messages.cancel}</Button>
          <Button type="submit" look={isDangerous ? "danger" : "primary"} isPending={isPending}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function firstField(form: HTMLFormElement | null): HTMLElement | undefined {
  const fields = form?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input:not([type=hidden]), textarea",
  );
  const all = [...(fields ?? [])];
  return all.find(({ value }) => value === "") ?? all[0];
}
