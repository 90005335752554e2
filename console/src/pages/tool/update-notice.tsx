import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ToolDetail, ToolUpdate } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery } from "#api/queries";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { Difference } from "#components/differences";
import { ProblemNote, Skeleton } from "#components/page";
import { showToast } from "#components/toasts";
import { labelOf, toLines } from "#lib/definition-parts";
import { messages as allMessages } from "./messages-sharing.ts";

const messages = allMessages.update;

type Props = { tool: ToolDetail; canAccept: boolean };

/** Offers an update of an installed tool, and shows its changes for review. */
export function UpdateNotice({ tool, canAccept }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn"
    >
      <span>{messages.available(tool.update?.version, tool.version)}</span>
      <Button onPress={() => setOpen(true)}>{messages.review}</Button>
      <Dialog
        title={messages.title(tool.title)}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isWide
      >
        <Review name={tool.name} canAccept={canAccept} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

type ReviewProps = { name: string; canAccept: boolean; onDone: () => void };

function Review({ name, canAccept, onDone }: ReviewProps): ReactNode {
  const query = itemQuery("/tools/{name}/install", { params: { name } });
  const { data, error, refetch } = useQuery(query);
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={4} />;
  const { update, version } = data;
  if (update === null) {
    return <p className="text-sm text-soft">{messages.upToDate(version)}</p>;
  }
  return (
    <>
      <p className="text-sm text-soft">
        {messages.range(version, update.version)} <When at={update.publishedAt} />.{" "}
        {update.codeChanged ? messages.codeChanged : messages.codeUnchanged}
      </p>
      <NewRequirements update={update} />
      <Changes changes={update.changes} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={onDone}>{messages.notNow}</Button>
        {canAccept ? <Accept name={name} version={update.version} onDone={onDone} /> : null}
      </div>
      {canAccept ? null : <p className="text-sm text-soft">{messages.buildersAccept}</p>}
    </>
  );
}

const reasons: Record<ToolUpdate["asksFor"][number], string> = messages.reasons;

function NewRequirements({ update: { asksFor, new: added } }: { update: ToolUpdate }): ReactNode {
  if (asksFor.length === 0) return <p className="text-sm">{messages.noNewPermissions}</p>;
  return (
    <div className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
      <p>{messages.whatChanges(asksFor.map((reason) => reasons[reason]))}</p>
      {added.allowedHosts.length === 0 ? null : <p>{messages.newHosts(added.allowedHosts)}</p>}
      {added.credentials.map(({ name, hosts, expose }) => (
        <p key={name}>
          {messages.newForCredential(name, [
            ...(hosts.length === 0 ? [] : [messages.sentTo(toHosts(hosts))]),
            ...(expose ? [messages.exposed] : []),
          ])}
        </p>
      ))}
      {added.credentials.length === 0 ? null : <p>{messages.credentialsNeeded}</p>}
    </div>
  );
}

function toHosts(hosts: readonly string[]): string {
  return hosts.includes("*") ? messages.everyHost : hosts.join(", ");
}

function Changes({ changes }: { changes: ToolUpdate["changes"] }): ReactNode {
  if (changes.length === 0) return <p className="text-sm text-soft">{messages.noOtherChanges}</p>;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      {changes.map(({ field, before, after }) => (
        <Difference
          key={field}
          label={labelOf(field)}
          before={toLines(before)}
          after={toLines(after)}
        />
      ))}
    </div>
  );
}

type AcceptProps = { name: string; version: number; onDone: () => void };

function Accept({ name, version, onDone }: AcceptProps): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      api.send("POST /tools/{name}/install/update", { params: { name }, body: { version } }),
    onSuccess: () => {
      showToast(messages.accepted(version));
      onDone();
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
    // Also after an error, because another version may have been published.
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ["tools"] });
      await client.invalidateQueries({ queryKey: ["skills"] });
    },
  });
  return (
    <Button look="primary" isPending={isPending} onPress={() => mutate()}>
      {messages.accept}
    </Button>
  );
}
