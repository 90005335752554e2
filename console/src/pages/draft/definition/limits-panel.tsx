import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useDraft } from "../draft-context.ts";
import { NumberField } from "../number-field.tsx";
import { messages as allMessages } from "./messages.ts";
import { Panel } from "./panel.tsx";
import { objectAt } from "./read-definition.ts";

const messages = allMessages.limits;

const names = ["cpuMs", "memoryMb", "outputBytes", "logBytes"] as const;

/** The limits that a tool sets for its own runs. */
export function LimitsPanel(): ReactNode {
  const { definition, change } = useDraft();
  const limits = objectAt(definition, "limits");
  const set = (name: string, value: number | undefined) => {
    const { [name]: _old, ...others } = limits;
    const next: JsonObject = value === undefined ? others : { ...others, [name]: value };
    change({ limits: Object.keys(next).length === 0 ? undefined : next });
  };
  return (
    <Panel title={messages.title} lead={messages.lead}>
      <div className="grid gap-3 sm:grid-cols-2">
        <NumberField
          label={messages.timeoutMs}
          value={definition["timeoutMs"]}
          onChange={(timeoutMs) => change({ timeoutMs })}
        />
        {names.map((name) => (
          <NumberField
            key={name}
            label={messages[name]}
            value={limits[name]}
            onChange={(value) => set(name, value)}
          />
        ))}
      </div>
    </Panel>
  );
}
