const megabyte = 1024 * 1024;

/** The service itself with 64 busy clients, its validation processes, and those that wait for a build. */
const serviceBytes = 256 * megabyte;
/** A sandbox process with what it may retain between runs. */
const sandboxProcessBytes = 64 * megabyte;
/** A build of a tool with a few packages. */
const buildBytes = 192 * megabyte;

/** How many processes a node may have. */
export type Sizes = {
  SANDBOX_MAX_PROCESSES: number;
  SANDBOX_CHILD_PROCESSES: number;
  BUILD_SLOTS: number;
};

/** Memory for sandbox processes, which is what the service itself does not need. */
export function sandboxBytes(memoryBytes: number): number {
  return Math.max(0, memoryBytes - serviceBytes);
}

/** Default sizes, such that runs of typical tools do not exceed the memory. Each depth of child runs needs a process. */
export function sizesFor(memoryBytes: number, childDepth: number): Sizes {
  const bytes = sandboxBytes(memoryBytes);
  const processes = between(2, bytes / sandboxProcessBytes, 64);
  return {
    SANDBOX_MAX_PROCESSES: processes,
    SANDBOX_CHILD_PROCESSES: between(Math.max(1, childDepth), processes / 2, 32),
    BUILD_SLOTS: between(1, bytes / buildBytes, 4),
  };
}

function between(min: number, count: number, max: number): number {
  return Math.max(min, Math.min(Math.floor(count), max));
}
