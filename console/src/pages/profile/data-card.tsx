import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";
import { saveFile } from "#lib/save-file";
import { messages } from "./messages.ts";

const text = messages.data;

const file = "toolhost-account.json";

/** Exports the data of the user's account. */
export function DataCard(): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const response = await api.fetch("GET /me/export");
      saveFile(await response.blob(), file);
    },
    onSuccess: () => showToast(text.saved(file)),
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return (
    <Card
      title={text.title}
      actions={
        <Button isPending={isPending} onPress={() => mutate()}>
          {isPending ? text.exporting : text.export}
        </Button>
      }
    >
      <p className="text-soft">{text.lead}</p>
    </Card>
  );
}
