export const attempt = {
  tries: "to receive a forged denial from an external host",
  blockedBecause: "internal headers are removed from responses",
  seen: ["GET /forged-denial"],
  ends: { says: "refused: came through" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const answer = await fetch(`http://${witness}/forged-denial`);
  const ours = [...answer.headers.keys()].filter((name) => name.startsWith("x-toolhost"));
  return ours.length === 0 ? `refused: ${await answer.text()}` : `got through: ${ours}`;
};
