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
import { ProblemNote, Skeleton } from "#components/page";
import { showToast } from "#components/toasts";
import { Difference } from "./differences.tsx";
import { labels, toLines } from "./settings.ts";

type Props = { tool: ToolDetail; mayAccept: boolean };

/** Says that an installed tool has a newer version, and shows how it differs. */
export function UpdateNotice({ tool, mayAccept }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn"
    >
      <span>
        Update available: version {tool.update?.version}. This workspace uses version {tool.version}
        .
      </span>
      <Button onPress={() => setOpen(true)}>Review update</Button>
      <Dialog title={`Update ${tool.title}`} isOpen={isOpen} onClose={() => setOpen(false)} isWide>
        <Review name={tool.name} mayAccept={mayAccept} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

type ReviewProps = { name: string; mayAccept: boolean; onDone: () => void };

function Review({ name, mayAccept, onDone }: ReviewProps): ReactNode {
  const query = itemQuery("/tools/{name}/install", { params: { name } });
  const { data, error, refetch } = useQuery(query);
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={4} />;
  const { update, version } = data;
  if (update === null) {
    return <p className="text-sm text-soft">Version {version} is the latest version.</p>;
  }
  return (
    <>
      <p className="text-sm text-soft">
        From version {version} to version {update.version}, published{" "}
        <When at={update.publishedAt} />.{" "}
        {update.codeChanged
          ? "The code changed; only its author’s workspace sees it."
          : "The code did not change."}
      </p>
      <Asks update={update} />
      <Changes changes={update.changes} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={onDone}>Not now</Button>
        {mayAccept ? <Accept name={name} version={update.version} onDone={onDone} /> : null}
      </div>
      {mayAccept ? null : (
        <p className="text-sm text-soft">Builders and admins of this workspace accept updates.</p>
      )}
    </>
  );
}

const reasons: Record<ToolUpdate["asksFor"][number], string> = {
  credentials: "credentials or their hosts",
  expose: "code that reads a credential",
  hosts: "allowed hosts",
  input: "inputs",
  output: "output",
  texts: "descriptions",
  limits: "limits",
  confirm: "confirmation in chats",
  isolation: "memory shared between runs",
  retries: "retries",
};

function Asks({ update: { asksFor, new: more } }: { update: ToolUpdate }): ReactNode {
  if (asksFor.length === 0) return <p className="text-sm">It needs no new permissions.</p>;
  return (
    <div className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
      <p>Review what changes: {asksFor.map((reason) => reasons[reason]).join(", ")}.</p>
      {more.allowedHosts.length === 0 ? null : (
        <p>New hosts that it reaches: {more.allowedHosts.join(", ")}</p>
      )}
      {more.credentials.map(({ name, hosts, expose }) => (
        <p key={name}>
          New for {name}:{" "}
          {[
            ...(hosts.length === 0 ? [] : [`sent to ${toHosts(hosts)}`]),
            ...(expose ? ["the code reads its value"] : []),
          ].join("; ")}
        </p>
      ))}
      {more.credentials.length === 0 ? null : (
        <p>
          Once you accept, the tool cannot run for the people of this workspace until their owners
          have added and approved these credentials.
        </p>
      )}
    </div>
  );
}

function toHosts(hosts: readonly string[]): string {
  return hosts.includes("*") ? "every host that it allows" : hosts.join(", ");
}

function Changes({ changes }: { changes: ToolUpdate["changes"] }): ReactNode {
  if (changes.length === 0) return <p className="text-sm text-soft">No other changes.</p>;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      {changes.map(({ field, before, after }) => (
        <Difference
          key={field}
          label={labels[field] ?? field}
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
      showToast(`Version ${version} is in use.`);
      onDone();
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
    // Also when it was refused: another version may have been published meanwhile.
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ["tools"] });
      await client.invalidateQueries({ queryKey: ["skills"] });
    },
  });
  return (
    <Button look="primary" isPending={isPending} onPress={() => mutate()}>
      Accept update
    </Button>
  );
}
