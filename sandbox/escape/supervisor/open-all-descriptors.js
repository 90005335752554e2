import fs from "node:fs";

export const attempt = {
  tries: "to use up the file descriptors of its process",
  blockedBecause: "a run cannot open files, and its connections are limited",
  limits: { cpuMs: 15000, memoryBytes: 201326592 },
  ends: { says: "refused" },
};

export default async ({ other }) => {
  const open = [];
  try {
    for (let i = 0; i < 3000; i++) open.push(fs.openSync("/dev/null"));
  } catch {}
  const ends = await Promise.allSettled(
    Array.from({ length: 1200 }, () => fetch(`http://${other}/reached`)),
  );
  return ends.some(({ status }) => status === "fulfilled") ? "got through" : "refused";
};
