import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CodeBlock } from "#components/copy";
import { Card } from "#components/page";
import { InlineText } from "./inline-text.tsx";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.overview;

/** What all operations have in common. */
export function Overview(): ReactNode {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <CodeBlock label={messages.baseUrl} code={`${location.origin}/api/v1`} isWrapped />
      <Card title={messages.authentication}>
        <p className="text-soft">
          <InlineText text={messages.authenticationText} />{" "}
          <Link to="/api-keys" className="text-strong underline">
            {messages.keys}
          </Link>
        </p>
      </Card>
      {[
        [messages.writes, messages.writesText],
        [messages.lists, messages.listsText],
        [messages.errors, messages.errorsText],
      ].map(([title = "", text = ""]) => (
        <Card key={title} title={title}>
          <p className="text-soft">
            <InlineText text={text} />
          </p>
        </Card>
      ))}
    </div>
  );
}
