import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { CopyButton } from "#components/copy";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { isObject, parseJson, prettyJson } from "#lib/json";

/** Beyond that browsers and what stands before the service cut addresses. */
const maxAddressLength = 6_000;

/** What is filled in as JSON: to be copied, changed, or pasted from elsewhere, and as an address that others open. */
export function JsonDialog({
  input,
  mayLink,
  onFill,
  onClose,
}: {
  input: JsonObject;
  /** Whether the input may stand in an address, which others may read on its way. */
  mayLink: boolean;
  onFill: (input: JsonObject) => void;
  onClose: () => void;
}): ReactNode {
  const [text, setText] = useState(() => prettyJson(input));
  const [problem, setProblem] = useState<string>();
  const fill = () => {
    const value = parseJson(text);
    if (isObject(value)) onFill(value);
    else setProblem('This is no JSON object, such as {"city": "Rome"}.');
  };
  const address = mayLink ? addressOf(text) : undefined;
  return (
    <FormDialog
      title="Input as JSON"
      action="Fill in"
      isOpen
      onClose={onClose}
      onSubmit={fill}
      isPending={false}
    >
      <TextField label="JSON" rows={12} isCode value={text} onChange={setText} error={problem} />
      <div className="flex flex-wrap gap-1">
        <CopyButton text={text} label="Copy JSON" />
        {address === undefined ? null : (
          <CopyButton text={address} label="Copy a link with this input" />
        )}
      </div>
    </FormDialog>
  );
}

/** The address of this page with the input in it, so that whoever opens it has the form filled in. */
function addressOf(text: string): string | undefined {
  const input = parseJson(text);
  if (!isObject(input)) return undefined;
  const url = new URL(location.pathname, location.origin);
  url.searchParams.set("input", JSON.stringify(input));
  return url.href.length > maxAddressLength ? undefined : url.href;
}
