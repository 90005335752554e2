import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { Card } from "#components/page";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.unmet;

const maxShown = 5;

/** For builders: what members searched for without running a tool. Nothing unless the workspace learns from searches. */
export function UnmetSearches(): ReactNode {
  const { data = [] } = useQuery(itemQuery("/unmet-searches"));
  if (data.length === 0) return null;
  return (
    <Card title={messages.title}>
      <p className="text-sm text-soft">{messages.lead}</p>
      <ul aria-label={messages.title} className="divide-y divide-line">
        {data.slice(0, maxShown).map(({ words, people, hasMatches }) => (
          <li key={words} className="flex flex-wrap items-baseline gap-x-3 py-2 text-sm">
            <Link
              to="/"
              search={{ q: words }}
              className="min-w-0 rounded-sm font-medium wrap-anywhere hover:underline"
            >
              <bdi>{words}</bdi>
            </Link>
            <span className="text-soft">{hasMatches ? messages.notRun : messages.noTool}</span>
            <span className="ml-auto text-soft">{messages.people(people)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
