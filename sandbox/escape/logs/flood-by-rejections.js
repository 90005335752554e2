export const attempt = {
  tries: "to fill the standard error of its process",
  refusedBecause: "no more than the tail of it is kept, and nobody else's run waits for it",
  limits: { cpuMs: 10000 },
  ends: { says: "said|sandbox" },
};

export default async () => {
  for (let i = 0; i < 2000; i++) Promise.reject(new Error("x".repeat(1000)));
  await new Promise((resolve) => setTimeout(resolve, 20));
  return "said";
};
