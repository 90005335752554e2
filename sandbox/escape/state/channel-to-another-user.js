export const attempt = {
  tries: "to communicate with a run of another user in the same process",
  blockedBecause: "isolates share no channel, lock or memory",
  ends: { says: '^\\[("refused",?)+\\]$' },
};

export default async () => {
  const ways = [
    () => new BroadcastChannel("left"),
    () => navigator.locks.request("left", () => "held"),
    () => navigator.storage.getDirectory(),
    () => indexedDB.open("left"),
    () => localStorage.setItem("left", "1"),
    () => navigator.serviceWorker.ready,
  ];
  const ends = [];
  for (const way of ways) {
    try {
      const found = await way();
      ends.push(found === undefined ? "refused" : "got through");
    } catch {
      ends.push("refused");
    }
  }
  return ends;
};
