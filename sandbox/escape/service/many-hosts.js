export const attempt = {
  tries: "to have the record of its run grow by every host that it names",
  refusedBecause: "a record names 100 hosts",
};

export default async () => {
  const all = Array.from({ length: 400 }, (_, i) =>
    fetch(`https://h${i}.${"x".repeat(50)}.example/`),
  );
  await Promise.allSettled(all);
  return { is: "refused" };
};
