import type { JsonObject } from "@toolhost/contract";
import { Braces } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { Button } from "#components/button";
import { CopyButton } from "#components/copy";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { isObject, parseJson, prettyJson } from "#lib/json";

/** Beyond that browsers and what stands before the service cut addresses. */
const longestAddress = 6_000;

/** What is filled in as JSON: to be copied, changed, or pasted from elsewhere, and as an address that others open. */
export function JsonInput({
  read,
  isOff,
  mayLink,
  onFill,
}: {
  /** What is filled in now. */
  read: () => JsonObject;
  isOff: boolean;
  /** Whether the input may stand in an address, which others may read on its way. */
  mayLink: boolean;
  onFill: (input: JsonObject) => void;
}): ReactNode {
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const close = () => {
    setText(undefined);
    setProblem(undefined);
  };
  const fill = () => {
    const value = parseJson(text ?? "");
    if (!isObject(value)) {
      setProblem('This is no JSON object, such as {"city": "Rome"}.');
      return;
    }
    close();
    onFill(value);
  };
  const address = text === undefined || !mayLink ? undefined : addressOf(text);
  return (
    <>
      <Button
        className="justify-self-start"
        isDisabled={isOff}
        onPress={() => setText(prettyJson(read()))}
      >
        <Braces size={16} aria-hidden />
        Input as JSON
      </Button>
      <FormDialog
        title="Input as JSON"
        action="Fill in"
        isOpen={text !== undefined}
        onClose={close}
        onSubmit={fill}
        isPending={false}
      >
        <TextField
          label="JSON"
          rows={12}
          isCode
          value={text ?? ""}
          onChange={setText}
          error={problem}
        />
        <div className="flex flex-wrap gap-1">
          <CopyButton text={text ?? ""} label="Copy JSON" />
          {address === undefined ? null : (
            <CopyButton text={address} label="Copy a link with this input" />
          )}
        </div>
      </FormDialog>
    </>
  );
}

/** The address of this page with the input in it, so that whoever opens it has the form filled in. */
function addressOf(text: string): string | undefined {
  const input = parseJson(text);
  if (!isObject(input)) return undefined;
  const url = new URL(location.pathname, location.origin);
  url.searchParams.set("input", JSON.stringify(input));
  return url.href.length > longestAddress ? undefined : url.href;
}
