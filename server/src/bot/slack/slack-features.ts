import { ChatError, isRateLimited } from "#core/chat";

/** Errors of a workspace, plan or token that lacks a feature. */
const lacking =
  /: (?:access_denied|feature_disabled|feature_not_enabled|missing_scope|no_permission|not_allowed|not_allowed_token_type|not_authorized|not_supported|paid_only|team_not_eligible|unknown_method|upgrade_required)$/;
/** Errors of a channel that lacks one. */
const lackingInChannel =
  /: (?:channel_type_not_supported|method_not_supported_for_channel_type|restricted_action\w*)$/;

const rememberMs = 3_600_000;
const maxEntries = 10_000;

/**
 * The optional methods of Slack that this process may call. One that is refused because the team or channel lacks a
 * feature is not called for an hour, and a rate limited one not before Slack allows it.
 */
export type Features = {
  /** Whether Slack has not refused a feature recently. */
  isAllowed(key: string, channel: string): boolean;
  /** Whether calls may be made, within a number per minute. Takes them if so. */
  take(key: string, perMinute: number, count?: number): boolean;
  /** Makes a call, and remembers why it is refused. Throws `ChatError`. */
  use<Result>(key: string, channel: string, call: () => Promise<Result>): Promise<Result>;
};

type Bucket = { left: number; at: number };

export function createFeatures(): Features {
  const refusedUntil = new Map<string, number>();
  const buckets = new Map<string, Bucket>();
  const isRefused = (key: string) => (refusedUntil.get(key) ?? 0) > performance.now();
  const refuse = (key: string, ms: number) => {
    if (refusedUntil.size >= maxEntries) refusedUntil.clear();
    refusedUntil.set(key, performance.now() + ms);
  };
  return {
    isAllowed: (key, channel) => !isRefused(key) && !isRefused(`${key} ${channel}`),
    take: (key, perMinute, count = 1) => {
      const now = performance.now();
      if (isRefused(key)) return false;
      if (buckets.size >= maxEntries) buckets.clear();
      const { left, at } = buckets.get(key) ?? { left: perMinute, at: now };
      const refilled = Math.min(perMinute, left + ((now - at) / 60_000) * perMinute);
      const isWithin = refilled >= count;
      buckets.set(key, { left: isWithin ? refilled - count : refilled, at: now });
      return isWithin;
    },
    use: async (key, channel, call) => {
      try {
        return await call();
      } catch (error) {
        const code = error instanceof ChatError ? error.message : "";
        if (lacking.test(code)) refuse(key, rememberMs);
        else if (lackingInChannel.test(code)) refuse(`${key} ${channel}`, rememberMs);
        else if (isRateLimited(error)) refuse(key, error.retryAfterMs);
        throw error;
      }
    },
  };
}
