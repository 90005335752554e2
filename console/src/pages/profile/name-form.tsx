import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sendAuth } from "#api/auth";
import { NameCard } from "#components/name-card";

/** What others see the person called. */
export function NameForm({ name }: { name: string }): ReactNode {
  const client = useQueryClient();
  return (
    <NameCard
      name={name}
      label="What others see you called"
      action="Save"
      autoComplete="name"
      onSave={async (changed) => {
        await sendAuth("/update-user", { name: changed });
        await client.invalidateQueries();
        return "Your name is changed";
      }}
    />
  );
}
