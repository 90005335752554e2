import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { InstallInfo } from "@toolhost/contract";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { CodeBlock } from "#components/copy";
import { SelectField } from "#components/select-field";
import { Card, Page, ProblemNote, Skeleton } from "#components/page";
import { ClientGuide } from "./client-guide.tsx";

const route = getRouteApi("/install");

/** How agents are connected: a client is picked, and what it needs is there to be copied. */
export function InstallPage(): ReactNode {
  const { data, error, refetch } = useQuery(itemQuery("/install"));
  return (
    <Page
      title="Install"
      lead="Connect the agent that you use, and it finds and runs your tools by itself."
    >
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
  const chosen = info.clients.find(({ id }) => id === search.client) ?? info.clients[0];
  if (chosen === undefined) return null;
  return (
    <div className="grid items-start gap-5 md:grid-cols-[15rem_minmax(0,1fr)]">
      {/* As a list, they would stand between a small window and what to do. */}
      <SelectField
        label="Client"
        className="md:hidden"
        choices={info.clients.map(({ id, name }) => ({ id, label: name }))}
        value={chosen.id}
        onChange={(id) => void navigate({ search: { client: id }, replace: true })}
      />
      <nav aria-label="Clients" className="hidden md:block">
        <ul className="grid gap-0.5">
          {info.clients.map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/install"
                search={{ client: id }}
                replace
                resetScroll={false}
                aria-current={id === chosen.id ? "page" : undefined}
                className="block rounded-lg px-3 py-1.5 text-sm hover:bg-raised aria-[current=page]:bg-strong-soft aria-[current=page]:font-medium aria-[current=page]:text-strong"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid min-w-0 gap-5">
        <ClientGuide key={chosen.id} client={chosen} info={info} />
        {chosen.snippet === null ? null : (
          <Card title="Something else">
            <p className="text-soft">
              Every client that speaks MCP over HTTP can be connected with this address.
            </p>
            <CodeBlock label="Address" code={info.mcpUrl} isWrapped />
          </Card>
        )}
      </div>
    </div>
  );
}
