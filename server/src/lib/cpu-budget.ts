/** CPU time per subject, as a token bucket: unused time accumulates up to one minute's share. */
export type CpuBudget = {
  /** Seconds until the subject may start a job; 0 if it may start one now. */
  waitSeconds(subject: string): number;
  /** Subtracts used time, even if it is more than was left. */
  charge(subject: string, ms: number): void;
};

type Account = { leftMs: number; at: number };

const minuteMs = 60_000;
const maxIdleAccounts = 1_000;

/** A `msPerMinute` of 0 disables the limit. */
export function createCpuBudget(msPerMinute: number, now = () => performance.now()): CpuBudget {
  const accounts = new Map<string, Account>();
  const leftOf = ({ leftMs, at }: Account) =>
    Math.min(msPerMinute, leftMs + ((now() - at) * msPerMinute) / minuteMs);

  function forgetIdle(): void {
    for (const [subject, account] of accounts) {
      if (leftOf(account) >= msPerMinute) accounts.delete(subject);
    }
  }

  return {
    waitSeconds(subject) {
      const account = accounts.get(subject);
      const left = account === undefined ? msPerMinute : leftOf(account);
      if (msPerMinute === 0 || left > 0) return 0;
      // Waits until a twentieth is available again; otherwise the first retry would use it up and be refused.
      const missingMs = msPerMinute / 20 - left;
      return Math.max(1, Math.ceil((missingMs * minuteMs) / msPerMinute / 1_000));
    },
    charge(subject, ms) {
      if (msPerMinute === 0) return;
      const account = accounts.get(subject);
      const left = account === undefined ? msPerMinute : leftOf(account);
      accounts.set(subject, { leftMs: left - ms, at: now() });
      if (accounts.size > maxIdleAccounts) forgetIdle();
    },
  };
}
