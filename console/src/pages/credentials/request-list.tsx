import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { mayDo } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { itemQuery, meQuery } from "#api/queries";
import { When } from "#components/badges";
import { messages as allMessages } from "./messages.ts";
import { Name } from "#components/name";

const messages = allMessages.requests;

/** For admins: members who wait for credentials of the workspace. Each leads to the tool, where they are reviewed. */
export function RequestList(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const isAdmin = mayDo(me?.workspace.role ?? "", "credentials:share");
  const { data: requests = [] } = useQuery({
    ...itemQuery("/credential-requests"),
    enabled: isAdmin,
  });
  if (!isAdmin || requests.length === 0) return null;
  return (
    <section aria-labelledby="requests" className="grid gap-2">
      <h2 id="requests" className="font-medium">
        {messages.title}
      </h2>
      <ul className="divide-y divide-line rounded-xl border border-line bg-paper">
        {requests.map(({ id, tool, user, missing, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
            <span className="min-w-0 flex-1 basis-60">
              <span className="font-medium">
                <Name>{user.name}</Name>
              </span>{" "}
              {messages.needs}{" "}
              <code className="font-mono">{missing.map(({ name }) => name).join(", ")}</code>{" "}
              {messages.for} <Name>{tool.title}</Name>
            </span>
            <span className="text-soft">
              <When at={createdAt} />
            </span>
            <Link
              to="/tools/$name"
              params={{ name: tool.name }}
              search={{ tab: "sharing" }}
              className="rounded-sm font-medium text-strong underline"
            >
              {messages.review}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
