import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { CopyButton } from "#components/copy";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { isObject, parseJson, prettyJson } from "#lib/json";
import { messages as allMessages } from "./messages-on-demand.ts";

const messages = allMessages.json;

/** Browsers and proxies may cut longer URLs. */
const maxUrlLength = 6_000;

/** The input as JSON, to copy, edit or paste, and a link that fills in the form. */
export function JsonDialog({
  input,
  canLink,
  onFill,
  onClose,
}: {
  input: JsonObject;
  /** Whether the input may appear in a URL, which others may log. */
  canLink: boolean;
  onFill: (input: JsonObject) => void;
  onClose: () => void;
}): ReactNode {
  const [text, setText] = useState(() => prettyJson(input));
  const [problem, setProblem] = useState<string>();
  const fill = () => {
    const value = parseJson(text);
    if (isObject(value)) onFill(value);
    else setProblem(messages.invalid);
  };
  const link = canLink ? linkTo(text) : undefined;
  return (
    <FormDialog
      title={messages.title}
      action={messages.apply}
      isOpen
      onClose={onClose}
      onSubmit={fill}
      isPending={false}
    >
      <TextField
        label={messages.label}
        rows={12}
        isCode
        value={text}
        onChange={setText}
        error={problem}
      />
      <div className="flex flex-wrap gap-1">
        <CopyButton text={text} label={messages.copy} />
        {link === undefined ? null : <CopyButton text={link} label={messages.copyLink} />}
      </div>
    </FormDialog>
  );
}

/** The URL of this page with the input in it; undefined when it would be too long. */
function linkTo(text: string): string | undefined {
  const input = parseJson(text);
  if (!isObject(input)) return undefined;
  const url = new URL(location.pathname, location.origin);
  url.searchParams.set("input", JSON.stringify(input));
  return url.href.length > maxUrlLength ? undefined : url.href;
}
