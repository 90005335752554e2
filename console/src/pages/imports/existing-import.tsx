import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { allItemsQuery } from "#api/queries";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.create.existing;

/** Links the imports that the workspace has of an MCP server. Another one is allowed: it may use another account. */
export function ExistingImport({ url }: { url: string }): ReactNode {
  const { data = [] } = useQuery(allItemsQuery("/imports"));
  const same = data.filter((one) => one.kind === "mcp" && isSameUrl(one.url, url));
  if (same.length === 0) return null;
  return (
    <div role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
      <p>{messages.title}</p>
      <ul className="list-disc pl-5">
        {same.map(({ id, title, credential }) => (
          <li key={id}>
            <Link
              to="/imports/$importId"
              params={{ importId: id }}
              className="rounded-sm text-text underline"
            >
              <bdi>{title}</bdi>
            </Link>{" "}
            {credential === null ? messages.noCredential : messages.credential(credential)}
          </li>
        ))}
      </ul>
      <p>{messages.another}</p>
    </div>
  );
}

function isSameUrl(known: string | null, typed: string): boolean {
  const [first, second] = [known ?? "", typed].map((text) =>
    URL.parse(text)?.href.replace(/\/+$/, ""),
  );
  return first !== undefined && first === second;
}
