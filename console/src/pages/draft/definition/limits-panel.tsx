import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useDraft } from "../draft-context.ts";
import { NumberField } from "../number-field.tsx";
import { Panel } from "./panel.tsx";
import { objectAt } from "./read-definition.ts";

const bounds = [
  { name: "cpuMs", label: "Computing time, in milliseconds" },
  { name: "memoryMb", label: "Memory, in MiB" },
  { name: "outputBytes", label: "Output, in bytes" },
  { name: "logBytes", label: "Log, in bytes" },
] as const;

/** Bounds that a tool sets itself. */
export function LimitsPanel(): ReactNode {
  const { definition, change } = useDraft();
  const limits = objectAt(definition, "limits");
  const set = (name: string, value: number | undefined) => {
    const { [name]: _old, ...others } = limits;
    const next: JsonObject = value === undefined ? others : { ...others, [name]: value };
    change({ limits: Object.keys(next).length === 0 ? undefined : next });
  };
  return (
    <Panel title="Limits" lead="What is left empty is as the server has it.">
      <div className="grid gap-3 sm:grid-cols-2">
        <NumberField
          label="Time for a run, in milliseconds"
          value={definition["timeoutMs"]}
          onChange={(timeoutMs) => change({ timeoutMs })}
        />
        {bounds.map(({ name, label }) => (
          <NumberField
            key={name}
            label={label}
            value={limits[name]}
            onChange={(value) => set(name, value)}
          />
        ))}
      </div>
    </Panel>
  );
}
