import { useQuery } from "@tanstack/react-query";
import type { RunUsage } from "@toolhost/contract";
import type { ReactNode } from "react";
import { memberName, membersQuery } from "#api/members";
import { meQuery } from "#api/queries";
import { Card } from "#components/page";
import { messages } from "./messages.ts";
import { ToolLink } from "./tool-link.tsx";

const text = messages.usage;
const head = "py-1.5 pr-4 font-medium";

/** Who ran which tool, and with what. */
export function Usage({
  usage,
  isToolShown,
}: {
  usage: readonly RunUsage[];
  isToolShown: boolean;
}): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  return (
    <Card title={text.title}>
      {usage.length === 0 ? (
        <p className="text-sm text-soft">{text.none}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keyboards scroll only what has the focus.
        <div role="region" aria-label={text.table} tabIndex={0} className="overflow-x-auto">
          <table className="w-full text-left text-sm">
            <thead>
              <tr className="border-b border-line">
                <th className={head}>{text.person}</th>
                <th className={head}>{text.client}</th>
                {isToolShown ? <th className={head}>{text.tool}</th> : null}
                <th className={`${head} text-right`}>{text.runs}</th>
                <th className={`${head} text-right`}>{text.failed}</th>
              </tr>
            </thead>
            <tbody>
              {usage.map((use) => (
                <tr
                  key={[use.userId, use.client, use.clientName, use.toolName].join("\n")}
                  className="border-b border-line tabular-nums"
                >
                  <td className="py-1.5 pr-4">{memberName(members, me, use.userId)}</td>
                  <td className="py-1.5 pr-4">{clientLabel(use)}</td>
                  {isToolShown ? (
                    <td className="py-1.5 pr-4">
                      {use.toolName === null ? (
                        text.hiddenTool
                      ) : (
                        <ToolLink name={use.toolName} title={use.title} />
                      )}
                    </td>
                  ) : null}
                  <td className="py-1.5 pr-4 text-right">{use.runs.toLocaleString("en")}</td>
                  <td className="py-1.5 pr-4 text-right">{use.failed.toLocaleString("en")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

function clientLabel({ client, clientName }: RunUsage): string {
  const kind = text.clients[client];
  return clientName === null ? kind : text.named(kind, clientName);
}
