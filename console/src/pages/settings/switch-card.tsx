import type { UpdateWorkspaceSettingsInput } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Switch } from "#components/fields";
import { Card } from "#components/page";
import { useUpdateSettings } from "./use-update-settings.ts";

type Props = {
  workspaceId: string;
  /** The name of the setting, which is on or off. */
  setting: "autoAcceptUpdates" | "learnFromSearches";
  isOn: boolean;
  isManaged: boolean;
  text: { title: string; lead: string; label: string; on: string; off: string; saved: string };
};

/** A setting that admins turn on and off, and that others see. */
export function SwitchCard({ workspaceId, setting, isOn, isManaged, text }: Props): ReactNode {
  const { mutate, isPending } = useUpdateSettings(workspaceId, text.saved);
  const change = (on: boolean) => mutate({ [setting]: on } satisfies UpdateWorkspaceSettingsInput);
  return (
    <Card title={text.title}>
      <p className="text-sm text-soft">{text.lead}</p>
      {isManaged ? (
        <Switch isSelected={isOn} isDisabled={isPending} onChange={change}>
          {text.label}
        </Switch>
      ) : (
        <p className="text-sm">{isOn ? text.on : text.off}</p>
      )}
    </Card>
  );
}
