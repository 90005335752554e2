import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ToolDetail } from "@toolhost/contract";
import { needsFile, sampleInput } from "@toolhost/tool-schema";
import type { ReactNode } from "react";
import { useState } from "react";
import { itemQuery } from "#api/queries";
import { CodeBlock } from "#components/copy";
import { CreateKey } from "#components/create-key";
import { Card } from "#components/page";
import { keyVariable } from "#lib/snippet-parts";
import { curlSnippet, fetchSnippet, mcpCallSnippet, mcpConfigSnippet } from "./snippets.ts";
import { messages as allMessages } from "./messages-on-demand.ts";

const messages = allMessages.use;

/** Snippets for scripts and agents that run the tool, with an API key once one is created. */
export function UseTab({ tool }: { tool: ToolDetail }): ReactNode {
  const { name, title, toolUrl } = tool;
  const [key, setKey] = useState<string>();
  const { data: install } = useQuery(itemQuery("/install"));
  const { origin } = new URL(toolUrl);
  const input = sampleInput(tool);
  const use = { origin, name, input, key };
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <Card title={messages.key}>
        {key === undefined ? (
          <>
            <p className="text-sm text-soft">
              {messages.keyVariable(keyVariable)} {messages.createOr}{" "}
              <Link to="/api-keys" className="text-strong underline">
                {messages.yourKeys}
              </Link>
              .
            </p>
            <CreateKey name={title} onCreated={setKey} />
          </>
        ) : (
          <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
            {messages.keyShown}
          </p>
        )}
      </Card>
      <Card title={messages.terminal}>
        {needsFile(input) ? <p className="text-sm text-soft">{messages.replacePath}</p> : null}
        <CodeBlock label="curl" code={curlSnippet(use)} isWrapped />
      </Card>
      <Card title={messages.typescript}>
        <CodeBlock label="fetch" code={fetchSnippet(use)} isWrapped />
      </Card>
      <Card title={messages.mcp}>
        <p className="text-sm text-soft">
          {messages.mcpLead}{" "}
          <Link to="/install" className="text-strong underline">
            {messages.install}
          </Link>
          .
        </p>
        <CodeBlock
          label={messages.clientSettings}
          code={mcpConfigSnippet(install?.apiKeyUrl ?? `${origin}/api/mcp`, key)}
          isWrapped
        />
        <CodeBlock label={messages.agentCall} code={mcpCallSnippet(use)} isWrapped />
        {needsFile(input) ? (
          <p className="text-sm text-soft">
            {messages.uploadFirst} <code className="font-mono">service_upload</code>{" "}
            {messages.uploadThen}
          </p>
        ) : null}
      </Card>
    </div>
  );
}
