export const attempt = {
  tries: "to flood the standard error of its process",
  blockedBecause: "only the end of it is stored, and it does not delay other runs",
  limits: { cpuMs: 10000 },
  ends: { says: "said|sandbox" },
};

export default async () => {
  for (let i = 0; i < 2000; i++) Promise.reject(new Error("x".repeat(1000)));
  await new Promise((resolve) => setTimeout(resolve, 20));
  return "said";
};
