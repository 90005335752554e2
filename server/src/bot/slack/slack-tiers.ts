/**
 * The most messages per page for apps that are distributed outside of Slack's marketplace. They may read one page per
 * minute.
 */
export const smallPageSize = 15;

const maxSearches = 1_000;

/** How far the search for a message came. */
type Search = { oldest: string | undefined; unmarked: string | undefined };

/** What this process knows about how much Slack lets the app read. */
export type Tiers = {
  /** Whether Slack returns small pages to the app in a team. */
  isLowest(teamId: string): boolean;
  setLowest(teamId: string): void;
  /** The search for a message that Slack interrupted. */
  resume(mark: string): Search | undefined;
  pause(mark: string, search: Search): void;
  forget(mark: string): void;
};

export function createTiers(): Tiers {
  const lowest = new Set<string>();
  const searches = new Map<string, Search>();
  return {
    isLowest: (teamId) => lowest.has(teamId),
    setLowest: (teamId) => lowest.add(teamId),
    resume: (mark) => searches.get(mark),
    pause: (mark, search) => {
      if (searches.size >= maxSearches) searches.clear();
      searches.set(mark, { ...search });
    },
    forget: (mark) => searches.delete(mark),
  };
}
