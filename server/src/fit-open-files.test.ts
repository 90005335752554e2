import { describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { fitOpenFiles } from "./fit-open-files.ts";

describe("fitOpenFiles", () => {
  it("changes nothing if the process may open enough files", () => {
    const config = readConfig({});
    expect(fitOpenFiles(config, 65_536)).toEqual({ config, warning: undefined });
    expect(fitOpenFiles(config, Infinity)).toEqual({ config, warning: undefined });
  });

  it("lowers the limits that need more, and says which and what to do", () => {
    const { config, warning } = fitOpenFiles(readConfig({}), 1_024);
    expect(config).toMatchObject({
      MAX_CONNECTIONS: 256,
      ADDRESS_MAX_CONNECTIONS: 64,
      SANDBOX_MAX_PROCESSES: 5,
      SANDBOX_CHILD_PROCESSES: 5,
    });
    expect(warning).toBe(
      "The service may open only 1024 files, so MAX_CONNECTIONS is 256, ADDRESS_MAX_CONNECTIONS is 64, SANDBOX_MAX_PROCESSES is 5, SANDBOX_CHILD_PROCESSES is 5. " +
        "Raise the limit with LimitNOFILE (systemd), --ulimit nofile (Docker) or ulimit -Hn (shell).",
    );
  });

  it("does not warn if all settings are low already", () => {
    const settings = {
      MAX_CONNECTIONS: "100",
      ADDRESS_MAX_CONNECTIONS: "0",
      SANDBOX_MAX_PROCESSES: "2",
      SANDBOX_CHILD_PROCESSES: "5",
    };
    const config = readConfig(settings);
    expect(fitOpenFiles(config, 1_024)).toEqual({ config, warning: undefined });
  });

  it("does not warn while clients may still have many connections", () => {
    const { config, warning } = fitOpenFiles(readConfig({}), 20_000);
    expect([config.MAX_CONNECTIONS, warning]).toEqual([6_581, undefined]);
  });

  it("keeps lower settings, and sets a limit where there is none", () => {
    const settings = { MAX_CONNECTIONS: "0", SANDBOX_MAX_PROCESSES: "4" };
    const { config } = fitOpenFiles(readConfig(settings), 1_024);
    expect(config).toMatchObject({ MAX_CONNECTIONS: 256, SANDBOX_MAX_PROCESSES: 4 });
    const unlimited = fitOpenFiles(readConfig({ MAX_CONNECTIONS: "0" }), Infinity);
    expect(unlimited).toMatchObject({ config: { MAX_CONNECTIONS: 0 }, warning: undefined });
  });

  it("keeps at least one process, and as many for child runs as their depth", () => {
    const { config } = fitOpenFiles(readConfig({ RUN_CHILD_DEPTH: "8" }), 768);
    expect(config).toMatchObject({ SANDBOX_MAX_PROCESSES: 1, SANDBOX_CHILD_PROCESSES: 8 });
  });

  it("refuses a limit that is too low to work with", () => {
    expect(() => fitOpenFiles(readConfig({}), 767)).toThrow(/needs 768\. Raise the limit/);
  });
});
