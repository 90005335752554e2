import type { JsonObject } from "@toolhost/contract";
import { Braces } from "lucide-react";
import type { ReactNode } from "react";
import { lazy, useState } from "react";
import { Button } from "#components/button";
import { LazyPart } from "#components/lazy-part";
import { loadChunk } from "#lib/load-chunk";
import { messages } from "./messages.ts";

// Loaded on demand, because most people use the form.
const JsonDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./json-dialog.tsx"))).JsonDialog,
}));

/** The heading of the form, with the button that opens the input as JSON. */
export function InputHeader({
  read,
  isDisabled,
  canLink,
  onFill,
}: {
  /** Reads the current input. */
  read: () => JsonObject;
  isDisabled: boolean;
  canLink: boolean;
  onFill: (input: JsonObject) => void;
}): ReactNode {
  const [opened, setOpened] = useState<JsonObject>();
  const close = () => setOpened(undefined);
  return (
    <div className="mb-3 flex items-center justify-between gap-2">
      <h2 className="font-semibold">{messages.run.input}</h2>
      <Button isSmall look="quiet" isDisabled={isDisabled} onPress={() => setOpened(read())}>
        <Braces size={16} aria-hidden />
        {messages.run.editAsJson}
      </Button>
      {opened === undefined ? null : (
        <LazyPart lines={0}>
          <JsonDialog
            input={opened}
            canLink={canLink}
            onClose={close}
            onFill={(input) => {
              close();
              onFill(input);
            }}
          />
        </LazyPart>
      )}
    </div>
  );
}
