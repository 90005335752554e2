/** The ended runs of an hour with the same tool, user, client and visibility. */
export type RunStatsTable = {
  workspace_id: string;
  /** The start of the hour in which the runs were created. */
  hour: number;
  tool_id: string;
  tool_name: string;
  user_id: string;
  /** `key:` or `app:` with an ID, or else the interface. */
  client: string;
  is_private: number;
  completed: number;
  failed: number;
  cancelled: number;
  /** How many runs took how long, as in `12:3 14:1`: buckets with their counts. */
  durations: string;
};

/** An hour whose runs are counted in `run_stats`. */
export type RunStatsHourTable = {
  hour: number;
  /** Its runs that had not ended by then, and are not counted yet. */
  unfinished: number;
  counted_at: number;
};
