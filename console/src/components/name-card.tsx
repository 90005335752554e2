import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { fieldError } from "#api/field-errors";
import { errorMessage } from "#api/problem";
import { Button } from "./button.tsx";
import { TextField } from "./fields.tsx";
import { Card } from "./page.tsx";
import { showToast } from "./toasts.tsx";
import { messages } from "./messages.ts";

type NameCardProps = {
  name: string;
  label: string;
  action: string;
  autoComplete?: string;
  /** Returns the text of the toast; an error that it throws is shown. */
  onSave: (name: string) => Promise<string>;
};

/** A form that changes a name. */
export function NameCard({ name, label, action, autoComplete, onSave }: NameCardProps): ReactNode {
  // Until the user types, the field follows the current name, also when someone else changes it.
  const [typed, setTyped] = useState<string>();
  const text = typed ?? name;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => onSave(text.trim()),
    onSuccess: (toast) => {
      setTyped(undefined);
      showToast(toast);
    },
    onError: (failure) => showToast(errorMessage(failure), "bad"),
  });
  return (
    <Card title={messages.name}>
      <form
        className="flex flex-wrap items-start gap-2 sm:flex-nowrap"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) mutate();
        }}
      >
        <TextField
          label={label}
          className="w-full max-w-sm"
          maxLength={80}
          value={text}
          onChange={setTyped}
          error={fieldError(error, "/name")}
          {...(autoComplete === undefined ? {} : { autoComplete })}
        />
        <Button
          type="submit"
          className="ui-beside"
          isPending={isPending}
          isDisabled={text.trim() === "" || text.trim() === name}
        >
          {action}
        </Button>
      </form>
    </Card>
  );
}
