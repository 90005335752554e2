import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { ProblemNote } from "#components/page";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { verifyChain } from "./verify-chain.ts";
import type { ChainCheck } from "./verify-chain.ts";

/** Checks that no event was changed or taken out, and shows how far it is. */
export function VerifyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [round, setRound] = useState(0);
  return (
    <Dialog title="Check the audit trail" isOpen onClose={onClose}>
      <p className="text-sm text-soft">
        Each event carries a hash of itself and of the one before. If one were changed or taken out,
        the chain would not fit together.
      </p>
      <Check key={round} onRetry={() => setRound(round + 1)} />
      <div className="flex justify-end">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function Check({ onRetry }: { onRetry: () => void }): ReactNode {
  const [check, setCheck] = useState<ChainCheck>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const closing = new AbortController();
    verifyChain(setCheck, closing.signal).catch((failure: unknown) => {
      if (!closing.signal.aborted) setError(failure);
    });
    return () => closing.abort();
  }, []);
  return error === undefined ? (
    <Progress check={check} />
  ) : (
    <ProblemNote error={error} onRetry={onRetry} />
  );
}

function Progress({ check }: { check: ChainCheck | undefined }): ReactNode {
  const { checked = 0, sealed = 0, isComplete = false, problems = [] } = check ?? {};
  const isBroken = problems.length > 0;
  const percent = isComplete
    ? 100
    : Math.min(99, Math.round((100 * checked) / Math.max(sealed, 1)));
  return (
    <div role="status" className="grid gap-2">
      <div
        role="progressbar"
        aria-label="Checked events"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full bg-raised"
      >
        <div className="h-full bg-strong transition-[width]" style={{ width: `${percent}%` }} />
      </div>
      {!isComplete ? (
        <p>{checked === 0 ? "Checking…" : `Checking… ${checked} of ${sealed} events`}</p>
      ) : isBroken ? (
        <div className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
          <p className="font-medium">The trail is not as it was written.</p>
          <ul className="list-disc pl-5 text-sm">
            {problems.map(({ sequence, message, eventId }) => (
              <li key={`${sequence}${message}`}>
                At place {sequence}: {message}
                {eventId === null ? "" : ` (event ${eventId})`}
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <p className="rounded-lg bg-good-soft px-3 py-2 text-good">
          The trail is as it was written: {checked} {checked === 1 ? "event" : "events"} checked.
        </p>
      )}
      {isComplete && check !== undefined ? <Rest check={check} /> : null}
    </div>
  );
}

function Rest({ check: { unsealed, trimmed, firstAt } }: { check: ChainCheck }): ReactNode {
  return (
    <p className="text-sm text-soft">
      {firstAt === null ? null : (
        <>
          The oldest is from <When at={firstAt} />.{" "}
        </>
      )}
      {unsealed === 0 ? "" : `${unsealed} of the last moments are not in the chain yet. `}
      {trimmed === 0 ? "" : `${trimmed} have left with age.`}
    </p>
  );
}
