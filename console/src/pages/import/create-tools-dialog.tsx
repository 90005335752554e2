import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ImportedTool, ImportItem, ImportResource } from "@toolhost/contract";
import type { ApiRequest } from "@toolhost/contract/api";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { fieldError, hasFieldError } from "#api/field-errors";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { FormDialog } from "#components/form-dialog";
import { SelectField } from "#components/select-field";
import { CreationResult } from "./creation-result.tsx";
import { itemMessages } from "./messages.ts";
import { ServerField } from "./server-field.tsx";
import { defaultChoice, isDefaultChoice, resolveServer } from "./server-url.ts";
import { ServerStatement } from "./server-statement.tsx";
import { SignInFields } from "./sign-in-fields.tsx";
import { defaultSignIn, groupBySecurity, signInBody } from "./sign-in.ts";
import type { SignIn, SignInGroup } from "./sign-in.ts";

const messages = itemMessages.create;
/** The service creates no more with one request. */
const maxPerRequest = 50;

type Props = {
  shown: ImportResource;
  items: readonly ImportItem[];
  publish: boolean;
  /** Receives the keys of items with a tool or draft. */
  onCreated: (keys: ReadonlySet<string>) => void;
  onClose: () => void;
};

/** Asks where the tools send requests and with which credentials, creates them, and shows the result. */
export function CreateToolsDialog({
  shown,
  items: selected,
  publish,
  onCreated,
  onClose,
}: Props): ReactNode {
  // Creating tools changes the selection.
  const [items] = useState(selected);
  const [server, setServer] = useState(() => defaultChoice(shown));
  const groups = groupBySecurity(items);
  const [signIns, setSignIns] = useState<Readonly<Record<string, SignIn>>>({});
  const signInOf = ({ id, security }: SignInGroup) =>
    signIns[id] ?? defaultSignIn(security, shown.securitySchemes);
  const [visibility, setVisibility] = useState<"workspace" | "private">("workspace");
  const url = shown.kind === "mcp" ? (shown.url ?? undefined) : resolveServer(shown, server);
  const kind = publish ? "publish" : "drafts";
  const isServerChosen = shown.kind === "openapi" && !isDefaultChoice(server);
  const options = {
    publish,
    visibility,
    ...(isServerChosen && url !== undefined ? { serverUrl: url } : {}),
  };
  const requests = groups.flatMap((group) => {
    const signIn = shown.kind === "mcp" ? {} : signInBody(signInOf(group), group.security);
    return inBatches(group.items).map((batch) => ({
      ...options,
      ...signIn,
      keys: batch.map(({ key }) => key),
      hashes: batch.map(({ hash }) => hash),
    }));
  });
  const { mutate, isPending, data, error, done } = useCreation(shown.id, requests, onCreated);
  if (data !== undefined) {
    return (
      <Dialog title={itemMessages.result.title} isOpen onClose={onClose} isWide>
        <CreationResult items={items} results={data} kind={kind} />
        <div className="flex justify-end">
          <Button look="primary" onPress={onClose}>
            {itemMessages.result.done}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={messages.titles[kind](items.length)}
      action={
        isPending ? messages.pending(done, items.length) : messages.actions[kind](items.length)
      }
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasFieldError(error, ["/serverUrl"]) ? null : error}
      onSubmit={mutate}
    >
      <p className="text-sm text-soft">{messages.leads[kind]}</p>
      {shown.kind === "mcp" ? (
        <ServerStatement shown={shown} />
      ) : (
        <>
          <ServerField
            shown={shown}
            choice={server}
            onChange={setServer}
            error={fieldError(error, "/serverUrl")}
          />
          {groups.map((group) => (
            <SignInFields
              key={group.id}
              group={group}
              isOne={groups.length === 1}
              schemes={shown.securitySchemes}
              url={url}
              signIn={signInOf(group)}
              onChange={(signIn) => setSignIns({ ...signIns, [group.id]: signIn })}
            />
          ))}
        </>
      )}
      <SelectField
        label={messages.visibility}
        value={visibility}
        onChange={setVisibility}
        choices={[
          { id: "workspace", label: messages.visibilities.workspace },
          { id: "private", label: messages.visibilities.private },
        ]}
      />
    </FormDialog>
  );
}

type Body = ApiRequest<"POST /imports/{id}/tools">["body"];

function inBatches(items: readonly ImportItem[]): (readonly ImportItem[])[] {
  const count = Math.ceil(items.length / maxPerRequest);
  return Array.from({ length: count }, (_, at) =>
    items.slice(at * maxPerRequest, (at + 1) * maxPerRequest),
  );
}

/** Creates the tools with the given requests, one after another. */
function useCreation(id: string, requests: readonly Body[], onCreated: Props["onCreated"]) {
  const client = useQueryClient();
  const [done, setDone] = useState<readonly ImportedTool[][]>([]);
  const mutation = useMutation({
    mutationFn: async () => {
      // After an error, the requests that succeeded are not repeated.
      const results = [...done];
      for (const body of requests.slice(results.length)) {
        results.push(await api.send("POST /imports/{id}/tools", { params: { id }, body }));
        setDone([...results]);
      }
      return results.flat();
    },
    onSuccess: (results) =>
      onCreated(new Set(results.filter(({ problem }) => problem === null).map(({ key }) => key))),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ["imports"] });
      await client.invalidateQueries({ queryKey: [requests[0]?.publish ? "tools" : "drafts"] });
    },
  });
  return { ...mutation, done: done.flat().length };
}
