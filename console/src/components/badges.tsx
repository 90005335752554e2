import type { RunStatus } from "@toolhost/contract";
import { formatTime } from "@toolhost/ui/time";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { classes } from "#lib/class-names";
import { formatRelativeTime } from "#lib/format";
import { messages } from "./messages.ts";

type Tone = "good" | "bad" | "warn" | "strong" | "soft";

/** A short label. */
export function Badge({
  tone = "soft",
  children,
}: {
  tone?: Tone;
  children: ReactNode;
}): ReactNode {
  return <span className={classes("ui-badge", tone)}>{children}</span>;
}

const toneOfStatus: Record<RunStatus, Tone> = {
  completed: "good",
  failed: "bad",
  cancelled: "soft",
  running: "strong",
};

/** The status of a run. */
export function StatusBadge({
  status,
  isQueued = false,
}: {
  status: RunStatus;
  isQueued?: boolean | undefined;
}): ReactNode {
  return (
    <Badge tone={toneOfStatus[status]}>{messages.runStatus[isQueued ? "queued" : status]}</Badge>
  );
}

/** A relative time that stays current, with the exact time as its tooltip. */
export function When({ at }: { at: string | null | undefined }): ReactNode {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 20_000);
    return () => clearInterval(timer);
  }, []);
  if (at === null || at === undefined)
    return <span className="text-soft">{messages.time.never}</span>;
  const date = new Date(at);
  // The clocks of server and browser differ slightly, so a new event must not appear to be in the future.
  const isJustNow = Math.abs(date.getTime() - now.getTime()) < 5_000;
  return (
    <time dateTime={at} title={formatTime(date)} className="whitespace-nowrap">
      {isJustNow ? messages.time.justNow : formatRelativeTime(date, now)}
    </time>
  );
}
