/** Far more than the runs of the claims that fail before the lost ones are recovered. */
const maxNotStarted = 5_000;

/** Adds run IDs to those whose tools this node has not started, and forgets the oldest above the maximum. */
export function addNotStarted(notStarted: Set<string>, ids: Iterable<string>): void {
  for (const id of ids) notStarted.add(id);
  for (const oldest of notStarted) {
    if (notStarted.size <= maxNotStarted) return;
    notStarted.delete(oldest);
  }
}
