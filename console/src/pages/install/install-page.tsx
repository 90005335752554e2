import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { InstallInfo } from "@toolhost/contract";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { CodeBlock } from "#components/copy";
import { SelectField } from "#components/select-field";
import { Card, Page, ProblemNote, Skeleton } from "#components/page";
import { ClientGuide } from "./client-guide.tsx";
import { canReach } from "./reachable.ts";
import { messages } from "./messages.ts";

const route = getRouteApi("/install");

/** How to connect agents: pick a client, and copy what it needs. */
export function InstallPage(): ReactNode {
  const { data, error, refetch } = useQuery(itemQuery("/install"));
  return (
    <Page title={messages.title} lead={messages.lead}>
      {data === undefined ? (
        error === null ? (
          <Skeleton />
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Clients info={data} />
      )}
    </Page>
  );
}

function Clients({ info }: { info: InstallInfo }): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isReachable = ({ id }: { id: string }) => canReach(id, info.mcpUrl);
  const selected =
    info.clients.find(({ id }) => id === search.client) ??
    info.clients.find(isReachable) ??
    info.clients[0];
  if (selected === undefined) return null;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[15rem_minmax(0,1fr)]">
      {/* On a narrow screen, a list would push the instructions out of sight. */}
      <SelectField
        label={messages.client}
        className="max-w-md lg:hidden"
        choices={info.clients.map(({ id, name }) => ({ id, label: name }))}
        value={selected.id}
        onChange={(id) => void navigate({ search: { client: id }, replace: true })}
      />
      <nav aria-label={messages.clients} className="hidden lg:block">
        <ul className="grid gap-0.5">
          {info.clients.map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/install"
                search={{ client: id }}
                replace
                resetScroll={false}
                aria-current={id === selected.id ? "page" : undefined}
                className="block rounded-lg px-3 py-1.5 text-sm hover:bg-raised aria-[current=page]:bg-strong-soft aria-[current=page]:font-medium aria-[current=page]:text-strong"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid min-w-0 gap-5">
        {isReachable(selected) ? null : (
          <p role="note" className="rounded-lg bg-warn-soft p-3 text-sm text-warn">
            {messages.unreachable(selected.name)}
          </p>
        )}
        <ClientGuide key={selected.id} client={selected} info={info} />
        {selected.snippet === null ? null : (
          <Card title={messages.other.title}>
            <p className="text-soft">{messages.other.body}</p>
            <CodeBlock label={messages.mcpUrl} code={info.mcpUrl} isWrapped />
          </Card>
        )}
      </div>
    </div>
  );
}
