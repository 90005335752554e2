import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sendAuth } from "#api/auth";
import { NameCard } from "#components/name-card";
import { messages } from "./messages.ts";

const text = messages.name;

/** Changes the user's display name. */
export function NameForm({ name }: { name: string }): ReactNode {
  const client = useQueryClient();
  return (
    <NameCard
      name={name}
      label={text.label}
      action={text.action}
      autoComplete="name"
      onSave={async (changed) => {
        await sendAuth("/update-user", { name: changed });
        await client.invalidateQueries();
        return text.saved;
      }}
    />
  );
}
