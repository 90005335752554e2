import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";
import { saveFile } from "#lib/save-file";

/** All that is kept of the person, as a file. */
export function DataCard(): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const answer = await api.fetch("GET /me/export");
      saveFile(await answer.blob(), "toolhost-account.json");
    },
    onSuccess: () => showToast("toolhost-account.json is saved"),
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return (
    <Card
      title="Your data"
      actions={
        <Button isPending={isPending} onPress={() => mutate()}>
          {isPending ? "Exporting…" : "Export it"}
        </Button>
      }
    >
      <p className="text-soft">
        Your profile, workspaces, tools, runs, and what you did, as one JSON file. Of keys and
        credentials it holds the names alone.
      </p>
    </Card>
  );
}
