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
import {
  curlSnippet,
  fetchSnippet,
  keyVariable,
  mcpCallSnippet,
  mcpConfigSnippet,
} from "./snippets.ts";

/** How scripts and agents run the tool: lines to copy, with a key in them once one is made. */
export function UseTab({ tool }: { tool: ToolDetail }): ReactNode {
  const { name, title, toolUrl } = tool;
  const [key, setKey] = useState<string>();
  const { data: install } = useQuery(itemQuery("/install"));
  const { origin } = new URL(toolUrl);
  const input = sampleInput(tool);
  const use = { origin, name, input, key };
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <Card title="A key for it">
        {key === undefined ? (
          <>
            <p className="text-sm text-soft">
              The lines below read a key from the variable {keyVariable}. Make one here and it is
              put in, or use one of{" "}
              <Link to="/api-keys" className="text-strong underline">
                your API keys
              </Link>
              .
            </p>
            <CreateKey name={title} onCreated={setKey} />
          </>
        ) : (
          <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
            The key stands in the lines below now. Copy what you need: it is shown only this once.
          </p>
        )}
      </Card>
      <Card title="From a terminal">
        {needsFile(input) ? (
          <p className="text-sm text-soft">Put the path of your file in place of example.txt.</p>
        ) : null}
        <CodeBlock label="curl" code={curlSnippet(use)} isWrapped />
      </Card>
      <Card title="From TypeScript">
        <CodeBlock label="fetch" code={fetchSnippet(use)} isWrapped />
      </Card>
      <Card title="From an agent, by MCP">
        <p className="text-sm text-soft">
          Connect the agent once; it then finds and runs every tool of the workspace. See{" "}
          <Link to="/install" className="text-strong underline">
            Install
          </Link>{" "}
          for each client.
        </p>
        <CodeBlock
          label="In the client's settings"
          code={mcpConfigSnippet(install?.apiKeyUrl ?? `${origin}/api/mcp`, key)}
          isWrapped
        />
        <CodeBlock label="What the agent calls" code={mcpCallSnippet(use)} isWrapped />
        {needsFile(input) ? (
          <p className="text-sm text-soft">
            It sends each file first, by <code className="font-mono">service_upload</code>, and puts
            the fileId that it gets in place of FILE_ID.
          </p>
        ) : null}
      </Card>
    </div>
  );
}
