import type { ReactNode } from "react";
import { prettyJson } from "#lib/json";
import type { Json } from "#lib/json";
import type { Difference } from "./json-diff.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.differences;

const maxTextLength = 2_000;

/** A table of differences: path, before and after. Empty when there are none. */
export function Differences({
  differences,
  beforeLabel,
  afterLabel,
}: {
  differences: readonly Difference[];
  beforeLabel: string;
  afterLabel: string;
}): ReactNode {
  if (differences.length === 0) return null;
  return (
    <div
      className="overflow-x-auto rounded-lg border border-line"
      role="group"
      aria-label={messages.label}
      // A scrollable region has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1, which axe checks.
      tabIndex={0}
    >
      <table className="w-full min-w-md text-left text-sm">
        <thead className="bg-raised text-soft">
          <tr>
            {[messages.path, beforeLabel, afterLabel].map((label) => (
              <th key={label} scope="col" className="px-3 py-1.5 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {differences.map(({ path, before, after }) => (
            <tr key={path} className="border-t border-line align-top">
              <th scope="row" className="px-3 py-1.5 font-mono text-xs font-normal">
                {path === "" ? messages.root : path}
              </th>
              <td className="bg-bad-soft px-3 py-1.5">
                <Value value={before} />
              </td>
              <td className="bg-good-soft px-3 py-1.5">
                <Value value={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ value }: { value: Json | undefined }): ReactNode {
  if (value === undefined) return <span className="text-soft">{messages.none}</span>;
  const text = prettyJson(value);
  return (
    <pre className="font-mono text-xs whitespace-pre-wrap">
      {text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text}
    </pre>
  );
}
