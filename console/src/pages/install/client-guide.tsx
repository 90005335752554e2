import type { InstallClient, InstallInfo } from "@toolhost/contract";
import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { CodeBlock } from "#components/copy";
import { Card } from "#components/page";
import { CreateKey } from "#components/create-key";
import { messages } from "./messages.ts";

/** How to connect one client: steps, a snippet to paste, and a link if the client has one. */
export function ClientGuide({
  client,
  info: { mcpUrl, apiKeyPlaceholder: placeholder },
}: {
  client: InstallClient;
  info: InstallInfo;
}): ReactNode {
  const { name, signIn, steps, snippet, link } = client;
  const [key, setKey] = useState<string>();
  const text = snippet?.text.replaceAll(placeholder, key ?? placeholder);
  return (
    <Card title={name}>
      <ol className="grid list-decimal gap-1 pl-5">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {link === null ? null : (
        <p>
          <a
            href={link}
            target={link.startsWith("https:") ? "_blank" : undefined}
            rel="noreferrer"
            className="ui-button primary"
          >
            {messages.open(name.replace(/ \(.*\)$/, ""))}
            <ExternalLink size={15} aria-hidden />
          </a>
        </p>
      )}
      {signIn === "api_key" && key === undefined ? (
        <CreateKey name={name} onCreated={setKey} />
      ) : null}
      {key === undefined ? null : (
        <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          {messages.keyInserted}
        </p>
      )}
      {snippet === null || text === undefined ? (
        <CodeBlock label={messages.mcpUrl} code={mcpUrl} isWrapped />
      ) : (
        <CodeBlock
          label={snippet.file ?? messages.terminal}
          code={snippet.language === "json" ? prettyPrint(text) : text}
          isWrapped
        />
      )}
      <p className="text-sm text-soft">
        {signIn === "browser" ? messages.browserSignIn : messages.keySignIn}
      </p>
    </Card>
  );
}

/** Pretty-printed JSON, as in a configuration file. */
function prettyPrint(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
