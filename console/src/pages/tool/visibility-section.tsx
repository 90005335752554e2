import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { ConfirmDialog } from "#components/dialog";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";

type Visibility = ToolDetail["visibility"];

const choices: readonly { id: Visibility; label: string; hint: string }[] = [
  {
    id: "private",
    label: "Only its author",
    hint: "Nobody else sees it or runs it, also no admin.",
  },
  {
    id: "workspace",
    label: "This workspace",
    hint: "All members see it and run it; builders change it.",
  },
  {
    id: "public",
    label: "Every workspace of this server",
    hint: "It stands in the catalog, and others install it. They run it with their own credentials and never see its code.",
  },
];

/** Who sees the tool. A change is at once; taking it away from others is asked about. */
export function VisibilitySection({
  tool,
  mayChange,
}: {
  tool: ToolDetail;
  mayChange: boolean;
}): ReactNode {
  const client = useQueryClient();
  const [asked, setAsked] = useState<Visibility>();
  const change = useMutation({
    mutationFn: (visibility: Visibility) =>
      api.send("PATCH /tools/{name}", { params: { name: tool.name }, body: { visibility } }),
    onSuccess: async ({ visibility }) => {
      showToast(`Seen by: ${choices.find(({ id }) => id === visibility)?.label ?? visibility}.`);
      await client.invalidateQueries({ queryKey: ["tools"] });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  if (tool.installed === true) {
    return (
      <Card title="Who sees it">
        <p className="text-sm">
          It is installed from another workspace, for all members of this one. Its author decides
          who may install it.
        </p>
      </Card>
    );
  }
  const choose = (id: string) => {
    const wanted = choices.find((choice) => choice.id === id)?.id;
    if (wanted === undefined || wanted === tool.visibility) return;
    // Everybody is let in, or some are locked out: neither should happen by a slip of the hand.
    if (wanted === "public" || tool.visibility === "public" || wanted === "private") {
      setAsked(wanted);
    } else change.mutate(wanted);
  };
  const shown = change.isPending ? change.variables : tool.visibility;
  return (
    <Card title="Who sees it">
      {mayChange ? null : (
        <p className="text-sm text-soft">Its author and admins of the workspace change this.</p>
      )}
      <RadioGroup
        aria-label="Who sees it"
        value={shown}
        isDisabled={!mayChange || change.isPending}
        onChange={choose}
        className="grid grid-cols-1 gap-2"
      >
        {choices.map(({ id, label, hint }) => (
          <Choice
            key={id}
            id={id}
            label={label}
            hint={hint}
            isDisabled={id === "private" && tool.mine !== true}
          />
        ))}
      </RadioGroup>
      <ConfirmDialog
        title={
          asked === "public" ? `Make ${tool.title} public?` : `Take ${tool.title} from others?`
        }
        action={asked === "public" ? "Make public" : "Take it away"}
        cancel={asked === "public" ? "Not now" : "Leave it as it is"}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          if (asked !== undefined) await change.mutateAsync(asked);
        }}
      >
        {asked === "public"
          ? "Everybody on this server sees its title, description and schemas, and can install it. They do not see its code."
          : "Whoever uses it now, people and agents, cannot run it from then on."}
      </ConfirmDialog>
    </Card>
  );
}

function Choice({
  id,
  label,
  hint,
  isDisabled,
}: {
  id: string;
  label: string;
  hint: string;
  isDisabled: boolean;
}): ReactNode {
  return (
    <Radio
      value={id}
      isDisabled={isDisabled}
      className="group flex items-start gap-2.5 rounded-lg border border-line p-3 text-sm data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-strong data-selected:border-strong data-selected:bg-strong-soft"
    >
      <span
        aria-hidden
        className="mt-0.5 grid size-4.5 shrink-0 place-items-center rounded-full border border-edge bg-paper group-data-selected:border-strong"
      >
        <span className="size-2.5 rounded-full group-data-selected:bg-strong" />
      </span>
      <span>
        <span className="font-medium">{label}</span>
        <span className="block text-soft">{hint}</span>
      </span>
    </Radio>
  );
}
