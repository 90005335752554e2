import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import type { AuditEvent } from "@toolhost/contract";
import type { ReactNode } from "react";
import { CopyButton } from "#components/copy";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

const text = messages.event;

/** What an event is about: its name, which links to its page, and its ID. */
export function EventTarget({ event, summary }: { event: AuditEvent; summary: string }): ReactNode {
  const { target } = event;
  if (event.hidden === true) return text.isHidden;
  const link = linkOf(event);
  const name = summary || target;
  return (
    <div className="grid justify-items-start">
      {link === undefined ? (
        <Name>{name}</Name>
      ) : (
        <Link {...link} className="rounded-sm text-strong underline">
          <Name>{name}</Name>
        </Link>
      )}
      {name === target ? null : (
        <span className="flex flex-wrap items-center gap-x-1 text-soft">
          <code className="text-xs">{target}</code>
          <CopyButton text={target} label={text.copyId} />
        </span>
      )}
    </div>
  );
}

const linkTo: Readonly<Record<string, (target: string) => LinkProps>> = {
  run: (runId) => ({ to: "/runs/$runId", params: { runId } }),
  tool: (name) => ({ to: "/tools/$name", params: { name } }),
  draft: (draftId) => ({ to: "/drafts/$draftId", params: { draftId } }),
  import: (importId) => ({ to: "/imports/$importId", params: { importId } }),
  webhook: (webhookId) => ({ to: "/webhooks/$webhookId", params: { webhookId } }),
  credential: () => ({ to: "/credentials" }),
  api_key: () => ({ to: "/api-keys" }),
  connected_app: () => ({ to: "/connected-apps" }),
  member: () => ({ to: "/members" }),
  invitation: () => ({ to: "/members" }),
};

/** The page of the target, or the list that has it. Deleted targets have none. */
function linkOf({ action, target }: AuditEvent): LinkProps | undefined {
  const [kind = "", what = ""] = action.split(".");
  const isGone = ["archive", "delete", "revoke", "uninstall", "remove", "leave"].includes(what);
  return isGone || target === "" ? undefined : linkTo[kind]?.(target);
}
