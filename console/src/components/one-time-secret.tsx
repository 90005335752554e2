import type { ReactNode } from "react";
import { CodeBlock } from "./copy.tsx";
import { messages } from "./messages.ts";

/** A secret that is shown only once. */
export function OneTimeSecret({ label, secret }: { label: string; secret: string }): ReactNode {
  return (
    <div className="grid min-w-0 gap-2">
      <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
        {messages.shownOnce}
      </p>
      <CodeBlock label={label} code={secret} isWrapped />
    </div>
  );
}
