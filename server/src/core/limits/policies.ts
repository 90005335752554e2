import { credentialOf, noWorkspace } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { Config } from "#config";

/** One limit: a maximum per subject and time window. */
export type Policy = {
  /** The setting with the limit; 0 turns it off. */
  setting: keyof Config & `${"RATE_LIMIT" | "QUOTA"}_${string}`;
  window: keyof typeof windows;
  /** The noun in error messages. */
  what: string;
};

/** The windows that limits are counted in. */
export const windows = { minute: { seconds: 60 }, day: { seconds: 86_400 } } as const;

/** Every limit, by the name that clients see in `RateLimit-Policy`. */
export const policies = {
  requests: {
    setting: "RATE_LIMIT_REQUESTS_PER_MINUTE",
    window: "minute",
    what: "requests per minute for one API key or signed-in user",
  },
  "user-requests": {
    setting: "RATE_LIMIT_USER_REQUESTS_PER_MINUTE",
    window: "minute",
    what: "requests per minute for one user",
  },
  "workspace-requests": {
    setting: "RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE",
    window: "minute",
    what: "requests per minute for one workspace",
  },
  runs: {
    setting: "RATE_LIMIT_RUNS_PER_MINUTE",
    window: "minute",
    what: "runs per minute for one API key or signed-in user",
  },
  "user-runs": {
    setting: "RATE_LIMIT_USER_RUNS_PER_MINUTE",
    window: "minute",
    what: "runs per minute for one user",
  },
  "workspace-runs": {
    setting: "RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE",
    window: "minute",
    what: "runs per minute for one workspace",
  },
  "anonymous-requests": {
    setting: "RATE_LIMIT_ANONYMOUS_REQUESTS_PER_MINUTE",
    window: "minute",
    what: "requests per minute without a valid credential from one address",
  },
  builds: {
    setting: "RATE_LIMIT_BUILDS_PER_MINUTE",
    window: "minute",
    what: "builds per minute for one workspace",
  },
  "sign-ins": {
    setting: "RATE_LIMIT_SIGN_INS_PER_MINUTE",
    window: "minute",
    what: "sign-ins per minute from one address",
  },
  "failed-sign-ins": {
    setting: "RATE_LIMIT_FAILED_SIGN_INS_PER_MINUTE",
    window: "minute",
    what: "failed sign-ins per minute for one account",
  },
  mails: {
    setting: "RATE_LIMIT_MAILS_PER_MINUTE",
    window: "minute",
    what: "emails per minute from one user or to one address",
  },
  registrations: {
    setting: "RATE_LIMIT_REGISTRATIONS_PER_MINUTE",
    window: "minute",
    what: "app registrations per minute from one address",
  },
  "token-requests": {
    setting: "RATE_LIMIT_TOKEN_REQUESTS_PER_MINUTE",
    window: "minute",
    what: "token requests per minute from one address",
  },
  "user-runs-per-day": {
    setting: "QUOTA_USER_RUNS_PER_DAY",
    window: "day",
    what: "runs per day for one user",
  },
  "workspace-runs-per-day": {
    setting: "QUOTA_WORKSPACE_RUNS_PER_DAY",
    window: "day",
    what: "runs per day for one workspace",
  },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof policies;

/** A limit, the subject that is counted, and how many points to take; one by default. */
export type Charge = { policy: PolicyName; subject: string; count?: number };

type Counted = Pick<Caller, "userId" | "workspaceId" | "actor">;

/** What a request counts against. */
export function chargesOfRequest(caller: Counted): Charge[] {
  return [
    { policy: "requests", subject: credentialOf(caller) },
    { policy: "user-requests", subject: caller.userId },
    // Callers outside of any workspace must not share one workspace limit.
    ...(caller.workspaceId === noWorkspace
      ? []
      : [{ policy: "workspace-requests", subject: caller.workspaceId } as const]),
  ];
}

/** What a run counts against. A run that a minute's limit refuses does not touch the quotas. */
export function chargesOfRun(caller: Counted): Charge[] {
  return [
    { policy: "runs", subject: credentialOf(caller) },
    { policy: "user-runs", subject: caller.userId },
    { policy: "workspace-runs", subject: caller.workspaceId },
    { policy: "user-runs-per-day", subject: caller.userId },
    { policy: "workspace-runs-per-day", subject: caller.workspaceId },
  ];
}
