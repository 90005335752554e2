import { useQuery } from "@tanstack/react-query";
import type { Credential } from "@toolhost/contract";
import { toRequest, urlOf } from "@toolhost/tool-schema/curl";
import type { ReactNode } from "react";
import { useState } from "react";
import { errorMessage } from "#api/problem";
import { itemQuery } from "#api/queries";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { Card } from "#components/page";
import { hostToAllow } from "#lib/allowed-hosts";
import { FieldList } from "./field-list.tsx";
import { messages } from "./messages.ts";
import type { ReadCommand } from "./read-command.ts";
import { problemOf, proposeSources, takenNames, toChoice } from "./secret-plan.ts";
import { SecretsCard } from "./secrets-card.tsx";
import { useCreateFromRequest } from "./use-create-from-request.ts";

/** Shows what a command consists of, and what each part becomes. */
export function RequestForm({
  read,
  credentials,
}: {
  read: ReadCommand;
  credentials: readonly Credential[];
}): ReactNode {
  const { request, secrets, found } = read;
  const host = hostToAllow(request.url) ?? "";
  const [title, setTitle] = useState(read.title);
  const [inputs, setInputs] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [owner, setOwner] = useState<"user" | "workspace">("user");
  const [sources, setSources] = useState(() => proposeSources(secrets, credentials, host));
  const { create, isPending, error } = useCreateFromRequest();
  const { data: check } = useQuery(
    itemQuery("/server-check", { query: { server: new URL(request.url).origin } }),
  );
  const denial = check?.reason ?? undefined;
  const isComplete = [...sources].every(
    ([id, source]) => problemOf(source, takenNames(credentials, sources, id)) === undefined,
  );
  const canCreate = isComplete && denial === undefined;
  const submit = () => {
    const choices = new Map([...sources].map(([id, source]) => [id, toChoice(source)]));
    create({
      request: toRequest(request, secrets, found, { title, secrets: choices, inputs }),
      credentials: [...sources.values()].flatMap((source) =>
        source.kind === "new" && source.value !== ""
          ? [{ name: source.name, value: source.value, hosts: [host], owner }]
          : [],
      ),
    });
  };
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending && canCreate) submit();
      }}
    >
      <RequestCard request={request} url={urlOf(found, inputs)} denial={denial} />
      {secrets.length === 0 ? null : (
        <SecretsCard
          {...{ secrets, host, owner, sources, credentials }}
          onOwner={setOwner}
          onSource={(id, source) => setSources((now) => new Map([...now, [id, source]]))}
        />
      )}
      <FieldList
        fields={found.fields}
        inputs={inputs}
        onChange={(ids, isInput) =>
          setInputs((now) => new Map([...now, ...ids.map((id) => [id, isInput] as const)]))
        }
      />
      <TextField
        label={messages.toolTitle}
        isRequired
        maxLength={80}
        className="max-w-xl"
        value={title}
        onChange={setTitle}
      />
      {error === null ? null : (
        <p role="alert" className="ui-note bad wrap-anywhere">
          {errorMessage(error)}
        </p>
      )}
      <div>
        <Button type="submit" look="primary" isPending={isPending} isDisabled={!canCreate}>
          {messages.create}
        </Button>
      </div>
    </form>
  );
}

/** The method and the URL with its placeholders, why the service would refuse it, and what is read differently from curl. */
function RequestCard({
  request,
  url,
  denial,
}: Pick<ReadCommand, "request"> & { url: string; denial: string | undefined }): ReactNode {
  return (
    <Card title={messages.request}>
      <p className="font-mono text-xs wrap-anywhere">
        <strong className="font-semibold">{request.method}</strong> {url}
      </p>
      {denial === undefined ? null : (
        <div role="alert" className="ui-note bad grid gap-1">
          <strong className="font-semibold">{messages.unreachable}</strong>
          <p className="wrap-anywhere">{denial}</p>
        </div>
      )}
      {request.notes.length === 0 ? null : (
        <ul aria-label={messages.notes} className="list-disc pl-5 text-sm text-soft">
          {request.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </Card>
  );
}
