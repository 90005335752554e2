import type { WorkspaceSettings } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { fieldError } from "#api/field-errors";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { Card } from "#components/page";
import { messages } from "./messages.ts";
import { useUpdateSettings } from "./use-update-settings.ts";

const text = messages.agents;

type Props = {
  workspaceId: string;
  length: WorkspaceSettings["agentOutputCharacters"];
  isManaged: boolean;
};

/** How long an output for agents may be. */
export function AgentsCard(props: Props): ReactNode {
  const { length, isManaged } = props;
  return (
    <Card title={text.title}>
      <p className="text-sm text-soft">{text.lead}</p>
      {isManaged ? (
        // The key resets the form when the setting was saved elsewhere.
        <LengthForm key={length.own} {...props} />
      ) : (
        <p className="text-sm">{text.current(length.effective)}</p>
      )}
    </Card>
  );
}

function LengthForm({ workspaceId, length }: Props): ReactNode {
  const [typed, setTyped] = useState(length.own?.toString() ?? "");
  const own = typed.trim() === "" ? null : Number(typed);
  const isNumber = !Number.isNaN(own);
  const update = useUpdateSettings(workspaceId, text.saved, ["/agentOutputCharacters"]);
  const { mutate, isPending, error, reset } = update;
  return (
    <form
      className="flex flex-wrap items-start gap-3 sm:flex-nowrap"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending && isNumber) mutate({ agentOutputCharacters: own });
      }}
    >
      <TextField
        label={text.characters}
        value={typed}
        onChange={(changed) => {
          reset();
          setTyped(changed);
        }}
        inputMode="numeric"
        hint={text.default(length.server)}
        error={isNumber ? fieldError(error, "/agentOutputCharacters") : text.invalid}
      />
      <Button
        className="ui-beside"
        type="submit"
        isDisabled={own === length.own || !isNumber}
        isPending={isPending}
      >
        {text.save}
      </Button>
    </form>
  );
}
