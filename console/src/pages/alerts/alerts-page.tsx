import { useQuery } from "@tanstack/react-query";
import { mayDo } from "@toolhost/contract/roles";
import { Bell, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { itemQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { EmptyState, Page, ProblemNote, Skeleton } from "#components/page";
import { RoleRequired } from "#components/role-required";
import { AlertDialog } from "./alert-dialog.tsx";
import { AlertRow } from "./alert-row.tsx";
import { messages } from "./messages.ts";

const refreshMs = 10_000;

/** The alerts of the workspace, for admins. */
export function AlertsPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [isCreating, setCreating] = useState(false);
  if (me === undefined) return null;
  if (!mayDo(me.workspace.role, "alerts:manage")) {
    return <RoleRequired page={messages.title} right="alerts:manage" />;
  }
  return (
    <Page
      title={messages.title}
      lead={messages.lead}
      actions={
        <Button look="primary" onPress={() => setCreating(true)}>
          <Plus size={16} aria-hidden />
          {messages.create}
        </Button>
      }
    >
      <AlertList />
      {isCreating ? <AlertDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

function AlertList(): ReactNode {
  const { data, error, refetch } = useQuery({
    ...itemQuery("/alerts"),
    refetchInterval: refreshMs,
  });
  if (data === undefined) {
    return error === null ? (
      <Skeleton />
    ) : (
      <ProblemNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) {
    return (
      <EmptyState icon={Bell} title={messages.empty.title}>
        {messages.empty.body}
      </EmptyState>
    );
  }
  return (
    <ul
      aria-label={messages.list}
      className="divide-y divide-line rounded-xl border border-line bg-paper"
    >
      {data.map((alert) => (
        <li key={alert.id}>
          <AlertRow alert={alert} />
        </li>
      ))}
    </ul>
  );
}
