export const attempt = {
  tries: "to grow the record of its run with many host names",
  blockedBecause: "a record lists at most 100 hosts",
};

export default async () => {
  const all = Array.from({ length: 400 }, (_, i) =>
    fetch(`https://h${i}.${"x".repeat(50)}.example/`),
  );
  await Promise.allSettled(all);
  return { is: "refused" };
};
