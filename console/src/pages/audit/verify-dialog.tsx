import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { ProblemNote } from "#components/page";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { verifyChain } from "./verify-chain.ts";
import type { ChainCheck } from "./verify-chain.ts";
import { messages } from "./messages.ts";

const text = messages.verify;

/** Verifies the hash chain of the audit log, with progress. */
export function VerifyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [attempt, setAttempt] = useState(0);
  return (
    <Dialog title={text.title} isOpen onClose={onClose}>
      <p className="text-sm text-soft">{text.lead}</p>
      <Verification key={attempt} onRetry={() => setAttempt(attempt + 1)} />
      <div className="flex justify-end">
        <Button onPress={onClose}>{text.close}</Button>
      </div>
    </Dialog>
  );
}

function Verification({ onRetry }: { onRetry: () => void }): ReactNode {
  const [check, setCheck] = useState<ChainCheck>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const controller = new AbortController();
    verifyChain(setCheck, controller.signal).catch((failure: unknown) => {
      if (!controller.signal.aborted) setError(failure);
    });
    return () => controller.abort();
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
        aria-label={text.progress}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full bg-raised"
      >
        <div className="h-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
      </div>
      {!isComplete ? (
        <p>{checked === 0 ? text.verifying : text.verifyingOf(checked, sealed)}</p>
      ) : isBroken ? (
        <div className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
          <p className="font-medium">{text.failed}</p>
          <ul className="list-disc pl-5 text-sm">
            {problems.map(({ sequence, message, eventId }) => (
              <li key={`${sequence}${message}`}>
                {text.problem(sequence, message)}
                {eventId === null ? "" : text.problemEvent(eventId)}
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <p className="rounded-lg bg-good-soft px-3 py-2 text-good">{text.intact(checked)}</p>
      )}
      {isComplete && check !== undefined ? <Remarks check={check} /> : null}
    </div>
  );
}

function Remarks({ check: { unsealed, trimmed, firstAt } }: { check: ChainCheck }): ReactNode {
  return (
    <p className="text-sm text-soft">
      {firstAt === null ? null : (
        <>
          {text.oldest} <When at={firstAt} />.{" "}
        </>
      )}
      {unsealed === 0 ? "" : text.unsealed(unsealed)}
      {trimmed === 0 ? "" : text.trimmed(trimmed)}
    </p>
  );
}
