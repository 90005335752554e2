import type { ImportItem, ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { fieldError, hasFieldError } from "#api/field-errors";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { FormDialog } from "#components/form-dialog";
import { SelectField } from "#components/select-field";
import { ChosenItems, changedTitles } from "./chosen-items.tsx";
import type { Titles } from "./chosen-items.tsx";
import { CreationResult } from "./creation-result.tsx";
import { DraftLimit } from "./draft-limit.tsx";
import { itemMessages } from "./messages.ts";
import { ServerField } from "./server-field.tsx";
import { defaultChoice, isDefaultChoice, resolveServer } from "./server-url.ts";
import { ServerStatement } from "./server-statement.tsx";
import { SignInFields } from "./sign-in-fields.tsx";
import {
  credentialNamesOf,
  defaultSignIn,
  groupBySecurity,
  scopesOf,
  signInBody,
} from "./sign-in.ts";
import type { SignIn, SignInGroup } from "./sign-in.ts";
import { inBatches, useCreation } from "./use-creation.ts";

const messages = itemMessages.create;

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
  const [titles, setTitles] = useState<Titles>({});
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
      titles: changedTitles(batch, titles),
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
      {publish ? null : <DraftLimit count={items.length} />}
      <ChosenItems items={items} titles={titles} onChange={setTitles} isOpen={publish} />
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
          {groups.map((group, at) => (
            <SignInFields
              key={group.id}
              group={group}
              isOne={groups.length === 1}
              schemes={shown.securitySchemes}
              scopes={scopesOf(items)}
              shownBefore={credentialNamesOf(groups.slice(0, at).map(signInOf))}
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
