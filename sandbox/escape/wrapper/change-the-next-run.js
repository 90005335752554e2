export const attempt = {
  tries: "to change the code that a later run of another user executes",
  blockedBecause: "each user has a separate isolate",
  runs: [{}, { user: "alice" }],
  ends: { says: "refused" },
};

export default async () => {
  const was = globalThis.leftFetch === true;
  globalThis.leftFetch = true;
  globalThis.fetch = () => "forged";
  JSON.stringify = () => '"got through"';
  JSON.parse = () => "got through";
  console.log = () => {};
  return was ? "got through" : "refused";
};
