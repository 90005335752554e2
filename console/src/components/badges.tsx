import type { RunStatus } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { classes } from "#lib/class-names";
import { formatRelativeTime } from "#lib/format";

type Tone = "good" | "bad" | "warn" | "strong" | "soft";

const tones: Record<Tone, string> = {
  good: "bg-good-soft text-good",
  bad: "bg-bad-soft text-bad",
  warn: "bg-warn-soft text-warn",
  strong: "bg-strong-soft text-strong",
  soft: "bg-raised text-soft",
};

/** A word on what something is. */
export function Badge({
  tone = "soft",
  children,
}: {
  tone?: Tone;
  children: ReactNode;
}): ReactNode {
  return (
    <span
      className={classes(
        "inline-flex items-center rounded-md px-1.5 py-0.5 text-xs font-medium whitespace-nowrap",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

const toneOfStatus: Record<RunStatus, Tone> = {
  completed: "good",
  failed: "bad",
  cancelled: "soft",
  running: "strong",
};

/** How far a run is. */
export function StatusBadge({
  status,
  isQueued = false,
}: {
  status: RunStatus;
  isQueued?: boolean | undefined;
}): ReactNode {
  return <Badge tone={toneOfStatus[status]}>{isQueued ? "queued" : status}</Badge>;
}

/** When something was, as words that stay true; the exact time when pointed at. */
export function When({ at }: { at: string | null | undefined }): ReactNode {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 20_000);
    return () => clearInterval(timer);
  }, []);
  if (at === null || at === undefined) return <span className="text-soft">never</span>;
  const date = new Date(at);
  // Clocks differ a little: what was just done is not in the future.
  const isJustNow = Math.abs(date.getTime() - now.getTime()) < 5_000;
  return (
    <time dateTime={at} title={date.toLocaleString()} className="whitespace-nowrap">
      {isJustNow ? "just now" : formatRelativeTime(date, now)}
    </time>
  );
}
