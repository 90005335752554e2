// The container's health check. /healthz and not /readyz: a restart does not help when the database is unavailable.
const port = process.env["PORT"] ?? "3000";
const isHealthy = await fetch(`http://127.0.0.1:${port}/healthz`).then(
  ({ ok }) => ok,
  () => false,
);
process.exitCode = isHealthy ? 0 : 1;
