import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { When } from "#components/badges";
import { Card } from "#components/page";
import { classes } from "#lib/class-names";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.facts;
const formats: Readonly<Record<string, string>> = messages.formats;

/** Where an import was read, and when. Its texts are the document's or server's own, and untrusted. */
export function ImportFacts({ shown }: { shown: ImportResource }): ReactNode {
  const { kind, url, version, format, description } = shown;
  return (
    <Card title={messages.title}>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-2 text-sm lg:grid-cols-3">
        <Fact name={messages.source[kind]} isWide>
          {url === null ? (
            (shown.fileName ?? messages.uploaded)
          ) : (
            <span className="font-mono text-xs">{url}</span>
          )}
        </Fact>
        <Fact name={messages.tools}>
          {messages.toolsOf(shown.importedCount, shown.itemCount)}
          {shown.draftCount === 0 ? null : `, ${messages.drafts(shown.draftCount)}`}
        </Fact>
        <Fact name={messages.version}>
          <bdi>{version === "" ? messages.noVersion : version}</bdi>
        </Fact>
        <Fact name={messages.format[kind]}>{formats[format] ?? format}</Fact>
        {kind === "mcp" ? (
          <Fact name={messages.credential}>{shown.credential ?? messages.noCredential}</Fact>
        ) : null}
        <Fact name={messages.checked}>
          <When at={shown.checkedAt} />
        </Fact>
        <Fact name={messages.nextCheck}>
          {shown.nextCheckAt === null ? messages.noNextCheck : <When at={shown.nextCheckAt} />}
        </Fact>
      </dl>
      {shown.notes.map((note) => (
        <p key={note} className="text-sm">
          {note}
        </p>
      ))}
      {description === "" ? null : (
        <details className="text-sm">
          <summary className="cursor-pointer text-soft">{messages.description[kind]}</summary>
          <p className="mt-1 max-w-prose whitespace-pre-line">
            <bdi>{description}</bdi>
          </p>
        </details>
      )}
    </Card>
  );
}

function Fact({
  name,
  isWide = false,
  children,
}: {
  name: string;
  isWide?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={classes("min-w-0", isWide && "max-lg:col-span-2")}>
      <dt className="text-soft">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
