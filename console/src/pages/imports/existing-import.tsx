import { skipToken, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { allItemsQuery } from "#api/queries";
import { messages as allMessages } from "./messages.ts";
import { Name } from "#components/name";

const messages = allMessages.create.existing;

/** Links the imports that the workspace has of an MCP server. Another one is allowed: it may use another account. */
export function ExistingImport({ url }: { url: string }): ReactNode {
  const { data = [] } = useQuery(allItemsQuery("/imports"));
  const same = data.filter((one) => one.kind === "mcp" && isSameUrl(one.url, url));
  const credentialOf = ({ credential }: ImportResource) =>
    credential === null ? messages.noCredential : messages.credential(credential);
  return <Imports {...messages.server} same={same} detailOf={credentialOf} />;
}

/** Links the imports of a document at the same URL. */
export function ExistingDocument({ url }: { url: string }): ReactNode {
  const { data = [] } = useQuery(allItemsQuery("/imports"));
  const same = data.filter((one) => one.kind === "openapi" && isSameUrl(one.url, url));
  return <Imports {...messages.document} same={same} />;
}

/** Links the imports of a document that is uploaded again. */
export function ExistingUpload({ file }: { file: File }): ReactNode {
  const { data = [] } = useQuery(allItemsQuery("/imports"));
  const { name, size, lastModified } = file;
  // Browsers offer hashes only to pages with HTTPS, and of this machine.
  const isHashed = "subtle" in crypto && size <= maxBytes;
  const { data: hash } = useQuery({
    queryKey: ["hash of file", name, size, lastModified],
    queryFn: isHashed ? () => hashOf(file) : skipToken,
  });
  const same = data.filter((one) => one.documentHash !== null && one.documentHash === hash);
  return <Imports {...messages.document} same={same} />;
}

/** The service accepts no larger documents. */
const maxBytes = 20 * 1024 * 1024;

async function hashOf(file: File): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function Imports({
  title: heading,
  another,
  same,
  detailOf,
}: {
  title: string;
  another: string;
  same: readonly ImportResource[];
  detailOf?: (shown: ImportResource) => string;
}): ReactNode {
  if (same.length === 0) return null;
  return (
    <div role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
      <p>{heading}</p>
      <ul className="list-disc pl-5">
        {same.map((one) => (
          <li key={one.id}>
            <Link
              to="/imports/$importId"
              params={{ importId: one.id }}
              className="rounded-sm text-text underline"
            >
              <Name>{one.title}</Name>
            </Link>{" "}
            {detailOf?.(one)}
          </li>
        ))}
      </ul>
      <p>{another}</p>
    </div>
  );
}

function isSameUrl(known: string | null, typed: string): boolean {
  const [first, second] = [known ?? "", typed].map((text) =>
    URL.parse(text)?.href.replace(/\/+$/, ""),
  );
  return first !== undefined && first === second;
}
