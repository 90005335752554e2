import { Check, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { errorMessage } from "#api/problem";
import { classes } from "#lib/class-names";
import { copyText } from "#lib/copy-text";
import { Button } from "./button.tsx";
import { showToast } from "./toasts.tsx";
import { messages } from "./messages.ts";

/** Copies a text to the clipboard. */
export function CopyButton({
  text,
  label = messages.copy,
}: {
  text: string;
  label?: string;
}): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    copyText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 2_000);
      },
      (error: unknown) => showToast(errorMessage(error), "bad"),
    );
  };
  return (
    <Button look="quiet" isSmall onPress={copy}>
      {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      <span aria-live="polite">{isCopied ? messages.copied : label}</span>
    </Button>
  );
}

/** Code to paste elsewhere, with a copy button. */
export function CodeBlock({
  code,
  label,
  isWrapped = false,
  children = code,
}: {
  code: string;
  label: string;
  isWrapped?: boolean;
  /** The code with marks in it. */
  children?: ReactNode;
}): ReactNode {
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-line">
      <div className="flex items-center justify-between gap-2 border-b border-line bg-raised py-0.5 pr-1 pl-3">
        <span className="truncate text-sm text-soft">{label}</span>
        <CopyButton text={code} />
      </div>
      <pre
        // A scrollable area must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1, checked by axe.
        tabIndex={0}
        aria-label={label}
        className={classes(
          "max-h-96 overflow-auto bg-paper p-3 font-mono text-xs",
          isWrapped && "whitespace-pre-wrap",
        )}
      >
        {children}
      </pre>
    </div>
  );
}
