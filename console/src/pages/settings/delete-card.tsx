import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { send } from "#api/client";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { Card } from "#components/page";

type Props = { workspaceId: string; name: string };

/** The end of the workspace. */
export function DeleteCard(props: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Delete the workspace"
      actions={
        <Button look="danger" onPress={() => setOpen(true)}>
          Delete it
        </Button>
      }
    >
      <p className="text-soft">
        Everybody&apos;s access, keys, apps, credentials, tools and runs in it end at once. To give
        it to somebody else instead, hand it over under Members.
      </p>
      {isOpen ? <DeleteDialog {...props} onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function DeleteDialog({ workspaceId, name, onClose }: Props & { onClose: () => void }): ReactNode {
  const [text, setText] = useState("");
  const [isTried, setTried] = useState(false);
  const isSame = text.trim() === name;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send("DELETE", `/workspaces/${workspaceId}`, { body: { name } }),
    onSuccess: () => {
      // Whatever was read of it is gone.
      location.assign("/");
    },
  });
  return (
    <FormDialog
      title={`Delete ${name}?`}
      action="Delete the workspace"
      isDangerous
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={() => {
        setTried(true);
        if (isSame) mutate();
      }}
    >
      <p className="text-sm">
        It cannot be brought back, for nobody. Only audit events stay, as long as any.
      </p>
      <TextField
        label={`Type ${name} to show that you mean it`}
        value={text}
        onChange={setText}
        autoComplete="off"
        error={isTried && !isSame ? "That is not its name." : undefined}
      />
    </FormDialog>
  );
}
