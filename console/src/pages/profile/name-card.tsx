import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { sendAuth } from "#api/auth";
import { wordsOf } from "#api/problem";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";

/** What others see the person called. */
export function NameCard({ name }: { name: string }): ReactNode {
  const client = useQueryClient();
  const [text, setText] = useState(name);
  const { mutate, isPending } = useMutation({
    mutationFn: () => sendAuth("/update-user", { name: text.trim() }),
    onSuccess: async () => {
      await client.invalidateQueries();
      showToast("Your name is changed");
    },
    onError: (error) => showToast(wordsOf(error), "bad"),
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
          label="What others see you called"
          className="w-full max-w-sm"
          value={text}
          onChange={setText}
          maxLength={80}
          autoComplete="name"
        />
        <Button
          type="submit"
          isPending={isPending}
          isDisabled={text.trim() === "" || text.trim() === name}
        >
          Save
        </Button>
      </form>
    </Card>
  );
}
