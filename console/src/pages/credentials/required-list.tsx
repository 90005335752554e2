import type { ReactNode } from "react";
import { Button } from "#components/button";
import { Card } from "#components/page";
import type { RequiredCredential } from "./required-credentials.ts";

/** What tools ask for and nobody has given yet. */
export function RequiredList({
  required,
  onAdd,
}: {
  required: readonly RequiredCredential[];
  onAdd: (required: RequiredCredential) => void;
}): ReactNode {
  return (
    <Card title="Tools ask for these">
      <ul className="grid gap-3">
        {required.map((one) => (
          <li key={one.name} className="flex flex-wrap items-center justify-between gap-2">
            <div className="min-w-0">
              <span className="font-mono text-sm font-medium">{one.name}</span>
              <p className="text-sm text-soft">
                {one.description === "" ? "" : `${one.description} `}
                For {one.tools.map(({ title }) => title).join(", ")}.
              </p>
            </div>
            <Button aria-label={`Add ${one.name}`} onPress={() => onAdd(one)}>
              Add
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
