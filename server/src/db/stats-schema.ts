/** Whose runs a figure counts. */
type CountedRuns = {
  workspace_id: string;
  /** The start of the hour in which the runs were created. */
  hour: number;
  tool_id: string;
  tool_name: string;
  /** The user who started them, if they are private; empty otherwise. */
  private_to: string;
};

/** The ended runs of a tool in an hour. */
export type RunStatsTable = CountedRuns & {
  completed: number;
  failed: number;
  cancelled: number;
  /** How many runs took how long, as in `12:3 14:1`: buckets with their counts. */
  durations: string;
};

/** How often a user ran a tool in an hour with one client. */
export type RunUsageTable = CountedRuns & {
  user_id: string;
  /** `key:` or `app:` with an ID, or else the interface. */
  client: string;
  runs: number;
  failed: number;
};

/** The sums of `run_usage` over a day (UTC) whose hours are all counted. */
export type RunUsageDayTable = Omit<RunUsageTable, "hour"> & { day: number };

/** An hour whose runs are counted. */
export type RunStatsHourTable = {
  hour: number;
  /** Its runs that had not ended by then, and are not counted yet. */
  unfinished: number;
  counted_at: number;
};
