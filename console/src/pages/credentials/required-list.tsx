import type { ReactNode } from "react";
import { Button } from "#components/button";
import { Card } from "#components/page";
import type { RequiredCredential } from "./required-credentials.ts";
import { messages } from "./messages.ts";

/** Credentials that tools require and that are missing. */
export function RequiredList({
  required,
  onAdd,
}: {
  required: readonly RequiredCredential[];
  onAdd: (required: RequiredCredential) => void;
}): ReactNode {
  return (
    <Card title={messages.required.title}>
      <ul className="grid gap-3">
        {required.map((one) => (
          <li key={one.name} className="flex flex-wrap items-center justify-between gap-2">
            <div className="min-w-0">
              <span className="font-mono text-sm font-medium">{one.name}</span>
              <p className="text-sm text-soft">
                {one.description === "" ? "" : `${one.description} `}
                {messages.required.usedBy(one.tools.map(({ title }) => title))}
              </p>
            </div>
            <Button aria-label={messages.required.addLabel(one.name)} onPress={() => onAdd(one)}>
              {messages.required.add}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
