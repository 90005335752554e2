import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { FilePen } from "lucide-react";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { When } from "#components/badges";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.drafts;

const maxShown = 3;

/** The most recent drafts of the user; empty when there are none. */
export function Drafts(): ReactNode {
  const { data = [] } = useQuery(itemQuery("/drafts", { query: { limit: maxShown + 1 } }));
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="drafts" className="grid min-w-0 grid-cols-1 gap-2">
      <div className="flex items-center justify-between gap-2">
        <h2 id="drafts" className="text-sm font-medium text-soft">
          {messages.title}
        </h2>
        <Link to="/drafts" className="rounded-sm text-sm text-strong hover:underline">
          {messages.viewAll}
        </Link>
      </div>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {data.slice(0, maxShown).map(({ id, title, toolName, updatedAt }) => (
          // A phone shows the latest only, so that the tools are in sight.
          <li key={id} className="not-first:max-sm:hidden">
            <Link
              to="/drafts/$draftId"
              params={{ draftId: id }}
              className="flex h-full items-start gap-2.5 rounded-xl border border-line bg-paper p-3 hover:bg-raised"
            >
              <FilePen size={17} aria-hidden className="mt-0.5 shrink-0 text-soft" />
              <span className="min-w-0">
                <span className="block truncate font-medium">{title || messages.untitled}</span>
                <span className="block truncate text-sm text-soft">
                  {toolName === null ? messages.newTool : messages.change}, {messages.saved}{" "}
                  <When at={updatedAt} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
