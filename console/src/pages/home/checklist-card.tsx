import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, X } from "lucide-react";
import type { ReactNode } from "react";
import { membersQuery } from "#api/members";
import { itemQuery, meQuery } from "#api/queries";
import { IconButton } from "#components/button";
import { messages as allMessages } from "./messages.ts";
import { usePreferences } from "./use-preferences.ts";

const messages = allMessages.checklist;

type Step = { id: keyof typeof messages.steps; isDone: boolean; to: NonNullable<LinkProps["to"]> };

const has = ({ data }: { data?: readonly unknown[] | undefined }) => (data ?? []).length > 0;

/** The first steps with the service, until they are done or the user dismisses them. */
export default function ChecklistCard(): ReactNode {
  const { preferences, change } = usePreferences();
  const { data: me } = useQuery(meQuery);
  const isOpen = preferences?.isChecklistDismissed === false && me !== undefined;
  const canBuild = me?.scopes.includes("tools:write") === true;
  const runs = useQuery({
    ...itemQuery("/runs", { query: { userId: me?.user.id ?? "", limit: 1 } }),
    enabled: isOpen,
  });
  const draftRuns = useQuery({
    ...itemQuery("/runs", { query: { draft: "true", limit: 1 } }),
    enabled: isOpen && canBuild,
  });
  const drafts = useQuery({
    ...itemQuery("/drafts", { query: { limit: 1 } }),
    enabled: isOpen && canBuild,
  });
  const agents = useQuery({
    ...itemQuery("/runs", { query: { via: "mcp", limit: 1 } }),
    enabled: isOpen,
  });
  const members = useQuery({ ...membersQuery(me?.workspace.id ?? ""), enabled: isOpen });
  const all = [runs, agents, members, ...(canBuild ? [draftRuns, drafts] : [])];
  if (!isOpen || all.some(({ isSuccess }) => !isSuccess)) return null;
  const steps: Step[] = [
    { id: "run", isDone: has(runs), to: "/" },
    ...(canBuild
      ? [{ id: "build" as const, isDone: has(draftRuns) || has(drafts), to: "/drafts" as const }]
      : []),
    { id: "connect", isDone: has(agents), to: "/install" },
    { id: "invite", isDone: (members.data ?? []).length > 1, to: "/members" },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <section
      aria-labelledby="checklist"
      className="grid gap-2 rounded-xl border border-line bg-paper p-4"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 id="checklist" className="font-medium">
          {messages.title}
        </h2>
        <IconButton label={messages.dismiss} onPress={() => change({ isChecklistDismissed: true })}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      <ul className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2">
        {steps.map(({ id, isDone, to }) => (
          <li key={id} className="flex items-center gap-2">
            {isDone ? (
              <CircleCheck size={16} aria-label={messages.done} className="shrink-0 text-good" />
            ) : (
              <CircleDashed size={16} aria-label={messages.open} className="shrink-0 text-soft" />
            )}
            <Link to={to} className="rounded-sm hover:underline">
              {messages.steps[id]}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
