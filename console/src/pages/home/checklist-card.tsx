import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import { mayDo } from "@toolhost/contract/roles";
import { CircleCheck, CircleDashed, X } from "lucide-react";
import type { ReactNode } from "react";
import { membersQuery } from "#api/members";
import { itemQuery, meQuery } from "#api/queries";
import { IconButton } from "#components/button";
import { classes } from "#lib/class-names";
import { messages as allMessages } from "./messages.ts";
import { usePreferences } from "#components/use-preferences";

const messages = allMessages.checklist;

type Step = { id: keyof typeof messages.steps; isDone: boolean; to: NonNullable<LinkProps["to"]> };

const has = ({ data }: { data?: readonly unknown[] | undefined }) => (data ?? []).length > 0;

/** The first steps with the service, until they are done or the user dismisses them. */
export default function ChecklistCard(): ReactNode {
  const { preferences, change } = usePreferences();
  const { data: me } = useQuery(meQuery);
  // Of these steps, a viewer may do none.
  const canRun = me?.scopes.includes("mcp:execute") === true;
  const isOpen = preferences?.isChecklistDismissed === false && me !== undefined && canRun;
  const canBuild = me?.scopes.includes("tools:write") === true;
  const canInvite = mayDo(me?.workspace.role ?? "", "members:manage");
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
    ...(canInvite
      ? [
          {
            id: "invite" as const,
            isDone: (members.data ?? []).length > 1,
            to: "/members" as const,
          },
        ]
      : []),
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <section aria-labelledby="checklist" className="ui-card flex items-start gap-3 py-2 pr-2 pl-4">
      <div className="grid min-w-0 flex-1 gap-x-5 gap-y-1.5 py-1 text-sm sm:flex sm:flex-wrap sm:items-center">
        <h2 id="checklist" className="font-medium">
          {messages.title}{" "}
          <span className="font-normal text-soft">
            {messages.progress(doneCount, steps.length)}
          </span>
        </h2>
        <ul className="contents">
          {steps.map(({ id, isDone, to }) => (
            <li
              key={id}
              // A phone shows what is left to do only, so that the tools are in sight.
              className={classes("flex items-center gap-1.5", isDone && "max-sm:hidden")}
            >
              {isDone ? (
                <CircleCheck size={16} aria-label={messages.done} className="shrink-0 text-good" />
              ) : (
                <CircleDashed size={16} aria-label={messages.open} className="shrink-0 text-soft" />
              )}
              <Link
                to={to}
                className={classes("rounded-sm hover:underline", isDone && "text-soft")}
              >
                {messages.steps[id]}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <IconButton
        label={messages.dismiss}
        isSmall
        onPress={() => change(() => ({ isChecklistDismissed: true }))}
      >
        <X size={16} aria-hidden />
      </IconButton>
    </section>
  );
}
