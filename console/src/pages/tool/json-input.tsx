import type { JsonObject } from "@toolhost/contract";
import { Braces } from "lucide-react";
import type { ReactNode } from "react";
import { lazy, useState } from "react";
import { Button } from "#components/button";
import { LazyPart } from "#components/lazy-part";
import { loadChunk } from "#lib/load-chunk";

// Most people fill in the form.
const JsonDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./json-dialog.tsx"))).JsonDialog,
}));

/** Opens what is filled in as JSON. */
export function JsonInput({
  read,
  isOff,
  mayLink,
  onFill,
}: {
  /** What is filled in now. */
  read: () => JsonObject;
  isOff: boolean;
  mayLink: boolean;
  onFill: (input: JsonObject) => void;
}): ReactNode {
  const [opened, setOpened] = useState<JsonObject>();
  const close = () => setOpened(undefined);
  return (
    <>
      <Button className="justify-self-start" isDisabled={isOff} onPress={() => setOpened(read())}>
        <Braces size={16} aria-hidden />
        Input as JSON
      </Button>
      {opened === undefined ? null : (
        <LazyPart lines={0}>
          <JsonDialog
            input={opened}
            mayLink={mayLink}
            onClose={close}
            onFill={(input) => {
              close();
              onFill(input);
            }}
          />
        </LazyPart>
      )}
    </>
  );
}
