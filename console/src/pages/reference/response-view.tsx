import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { Button } from "#components/button";
import { CodeBlock } from "#components/copy";
import { Card } from "#components/page";
import { formatBytes, formatDuration } from "#lib/format";
import { saveFile } from "#lib/save-file";
import { maxShownBytes, prettyText } from "./send-request.ts";
import type { ApiResult } from "./send-request.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.try;

/** The response of a request, or why there is none. */
export function ResponseView({
  result,
  error,
}: {
  result: ApiResult | undefined;
  error: string | undefined;
}): ReactNode {
  return (
    <>
      <p role="status" className={error === undefined ? "sr-only" : "ui-note warn"}>
        {error ?? (result === undefined ? "" : statusLine(result))}
      </p>
      {result === undefined ? null : (
        <Card title={messages.result}>
          <p>
            <Badge tone={result.status < 400 ? "good" : "bad"}>{statusLine(result)}</Badge>
          </p>
          <ResponseBody body={result.body} />
          <details className="text-sm">
            <summary className="cursor-pointer text-xs text-strong">
              {allMessages.operation.headers}
            </summary>
            <dl className="mt-2 grid gap-1 font-mono text-xs">
              {result.headers.map(([name, value]) => (
                <div key={name}>
                  <dt className="inline font-semibold">{name}: </dt>
                  <dd className="inline">{value}</dd>
                </div>
              ))}
            </dl>
          </details>
        </Card>
      )}
    </>
  );
}

function statusLine({ status, timeMs }: ApiResult): string {
  return messages.statusLine(status, formatDuration(timeMs));
}

function ResponseBody({ body }: Pick<ApiResult, "body">): ReactNode {
  if (body.kind === "bytes") {
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span>{messages.binary(body.mediaType, formatBytes(body.blob.size))}</span>
        <Button onPress={() => saveFile(body.blob, "response")}>{messages.save}</Button>
      </div>
    );
  }
  if (body.text === "") return <p className="text-sm text-soft">{messages.empty}</p>;
  return (
    <>
      <CodeBlock label={messages.body} code={prettyText(body.text)} isWrapped />
      {body.isTruncated ? (
        <p className="text-sm text-soft">{messages.truncated(formatBytes(maxShownBytes))}</p>
      ) : null}
    </>
  );
}
