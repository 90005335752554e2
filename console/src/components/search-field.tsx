import { Search, X } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { useEffect, useRef } from "react";
import { classes } from "#lib/class-names";
import { messages } from "./messages.ts";

type SearchFieldProps = {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  /** Whether `/` moves the focus here while no text field has it. */
  hasShortcut?: boolean;
  className?: string;
};

/** A search field. Escape clears it. */
export function SearchField({
  label,
  placeholder,
  value,
  onChange,
  onKeyDown,
  hasShortcut = false,
  className,
}: SearchFieldProps): ReactNode {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!hasShortcut) return undefined;
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      ref.current?.focus();
      ref.current?.select();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [hasShortcut]);
  return (
    <div className={classes("relative min-w-0", className)}>
      <Search
        size={15}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-soft"
      />
      <input
        ref={ref}
        type="text"
        role="searchbox"
        aria-label={label}
        aria-keyshortcuts={hasShortcut ? "/" : undefined}
        placeholder={placeholder}
        value={value}
        autoComplete="off"
        spellCheck={false}
        className="ui-input px-8!"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && value !== "") onChange("");
          onKeyDown?.(event);
        }}
      />
      {value === "" ? null : (
        <button
          type="button"
          aria-label={messages.clearSearch}
          className="absolute top-1/2 right-1 grid size-6 -translate-y-1/2 place-items-center rounded-sm text-soft hover:bg-raised hover:text-text"
          onClick={() => {
            onChange("");
            ref.current?.focus();
          }}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}

/** Whether the element takes text input. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
