import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useDeferredValue, useMemo, useState } from "react";
import { allItemsQuery, meQuery } from "#api/queries";
import { RoleRequired } from "#components/role-required";
import { TextField } from "#components/fields";
import { BackLink, Page, Skeleton } from "#components/page";
import { messages } from "./messages.ts";
import { readCommand } from "./read-command.ts";
import { RequestForm } from "./request-form.tsx";

/** Makes a draft of a curl command. The command stays in this page: it is in no URL, and nothing stores it. */
export function CurlPage(): ReactNode {
  const [text, setText] = useState("");
  const deferred = useDeferredValue(text);
  const read = useMemo(() => readCommand(deferred), [deferred]);
  const { data: me } = useQuery(meQuery);
  const { data: credentials } = useQuery(allItemsQuery("/credentials"));
  if (me !== undefined && !me.scopes.includes("tools:write"))
    return <RoleRequired page={messages.title} right="tools:write" />;
  return (
    <Page
      title={messages.title}
      lead={messages.lead}
      back={<BackLink to="/imports">{messages.back}</BackLink>}
    >
      <TextField
        label={messages.command}
        hint={messages.commandHint}
        placeholder={messages.commandPlaceholder}
        rows={typeof read === "object" ? 4 : 8}
        isCode
        // The page exists to paste a command into this field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        autoComplete="off"
        // Spelling services of browsers would get the secrets.
        spellCheck="false"
        value={text}
        onChange={setText}
        error={typeof read === "string" ? read : undefined}
      />
      {typeof read !== "object" ? null : credentials === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <RequestForm key={deferred} read={read} credentials={credentials} />
      )}
    </Page>
  );
}
