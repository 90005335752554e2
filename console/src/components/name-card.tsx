import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { fieldError } from "#api/field-errors";
import { errorMessage } from "#api/problem";
import { Button } from "./button.tsx";
import { TextField } from "./fields.tsx";
import { Card } from "./page.tsx";
import { showToast } from "./toasts.tsx";

type NameCardProps = {
  name: string;
  label: string;
  /** What the button says: a verb. */
  action: string;
  autoComplete?: string;
  /** Gives what is said once it is changed; what it throws is shown. */
  onSave: (name: string) => Promise<string>;
};

/** What something is called, and a way to call it otherwise. */
export function NameCard({ name, label, action, autoComplete, onSave }: NameCardProps): ReactNode {
  // Until something is typed it is what it is called now, whoever changed that.
  const [typed, setTyped] = useState<string>();
  const text = typed ?? name;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => onSave(text.trim()),
    onSuccess: (words) => {
      setTyped(undefined);
      showToast(words);
    },
    onError: (failure) => showToast(errorMessage(failure), "bad"),
  });
  return (
    <Card title="Name">
      <form
        className="flex flex-wrap items-end gap-2"
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
          isPending={isPending}
          isDisabled={text.trim() === "" || text.trim() === name}
        >
          {action}
        </Button>
      </form>
    </Card>
  );
}
