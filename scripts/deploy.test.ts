import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

type Rule = { names: string[]; action: string; args?: unknown[]; errnoRet?: number };
const profile = JSON.parse(read("deploy/seccomp.json")) as {
  defaultAction: string;
  syscalls: Rule[];
};
const allowed = new Set(
  profile.syscalls
    .filter(({ action, args }) => action === "SCMP_ACT_ALLOW" && args === undefined)
    .flatMap(({ names }) => names),
);

describe("the seccomp profile", () => {
  it("allows only what it lists", () => {
    expect(profile.defaultAction).toBe("SCMP_ACT_ERRNO");
    expect(new Set(profile.syscalls.map(({ action }) => action))).toEqual(
      new Set(["SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO"]),
    );
  });

  it("has no condition that only some container engines know", () => {
    const known = new Set(["comment", "names", "action", "args", "errnoRet"]);
    const fields = profile.syscalls.flatMap((rule) => Object.keys(rule));
    expect(fields.filter((field) => !known.has(field))).toEqual([]);
  });

  it.each(["clone", "mount", "pivot_root", "umount2", "unshare"])(
    "allows %s, which bubblewrap needs",
    (name) => expect(allowed).toContain(name),
  );

  it.each([
    "bpf",
    "clone3",
    "fsopen",
    "init_module",
    "io_uring_setup",
    "kexec_load",
    "keyctl",
    "move_mount",
    "open_by_handle_at",
    "open_tree",
    "perf_event_open",
    "process_vm_writev",
    "ptrace",
    "setns",
    "syslog",
    "userfaultfd",
  ])("denies %s", (name) => expect(allowed).not.toContain(name));
});

describe("the folder deploy", () => {
  it("names only existing settings", () => {
    const existing = new Set(
      [...read(".env.example").matchAll(/^(?:# )?([A-Z][\dA-Z_]+)=/gm)].map(([, name]) => name),
    );
    const used = [
      ...read("deploy/compose.yaml").matchAll(/^ {6}([A-Z][\dA-Z_]+): /gm),
      ...read("deploy/helm/toolhost/values.yaml").matchAll(/^ {2}(?:# )?([A-Z][\dA-Z_]+): /gm),
      ...read("deploy/helm/toolhost/templates/deployment.yaml").matchAll(
        /name: ([A-Z][\dA-Z_]+),/g,
      ),
      ...read("Dockerfile").matchAll(/\b(HOST|DATA_DIR)=/g),
    ].map(([, name = ""]) => name);
    const ofOthers = /^(?:POSTGRES_|VGW_|ROOT_|DOMAIN$)/;
    expect(used.length).toBeGreaterThan(15);
    expect(used.filter((name) => !existing.has(name) && !ofOthers.test(name))).toEqual([]);
  });

  it("does not start a pod without the database and the key of the secret", () => {
    const deployment = read("deploy/helm/toolhost/templates/deployment.yaml");
    expect(deployment).toMatch(
      /range list "ENCRYPTION_KEY" "DATABASE_URL" [^]*secretKeyRef: .*key: {{ \. }} /,
    );
    expect(deployment).not.toContain("optional");
  });

  it("takes privileges from each container of Compose", () => {
    const [, services = ""] =
      /^services:\n([^]*?)^volumes:/m.exec(read("deploy/compose.yaml")) ?? [];
    const parts = services.split(/^ {2}(?=\w)/m).filter((part) => /^\w+:$/m.test(part));
    expect(parts).toHaveLength(5);
    for (const part of parts) {
      expect(part).toContain("cap_drop: [ALL]");
      expect(part).toContain("no-new-privileges:true");
    }
  });

  it("closes the metrics port to the cluster", () => {
    const policy = read("deploy/helm/toolhost/templates/network-policy.yaml");
    const [open = ""] = policy.split("{{- with .Values.networkPolicy.metricsFrom }}");
    expect(open).toContain("port: http");
    expect(open).not.toContain("port: metrics");
    expect(read("deploy/helm/toolhost/values.yaml")).toMatch(/networkPolicy:\n {2}enabled: true/);
  });

  it("gives the service more time to stop than SHUTDOWN_GRACE_MS", () => {
    const graceMs = Number(/^SHUTDOWN_GRACE_MS=(\d+)$/m.exec(read(".env.example"))?.[1]);
    const seconds = [
      /stop_grace_period: (\d+)s/.exec(read("deploy/compose.yaml")),
      /^TimeoutStopSec=(\d+)s/m.exec(read("deploy/systemd/toolhost.service")),
      /^terminationGracePeriodSeconds: (\d+)/m.exec(read("deploy/helm/toolhost/values.yaml")),
    ].map((match) => Number(match?.[1]));
    expect(Math.min(...seconds) * 1_000).toBeGreaterThan(graceMs + 10_000);
  });

  it("copies the manifest of each workspace into the image", () => {
    const { workspaces } = JSON.parse(read("package.json")) as { workspaces: string[] };
    const copied = [...read("Dockerfile").matchAll(/^COPY (\w[\w-]*)\/package\.json/gm)];
    expect(new Set(copied.map(([, name]) => name))).toEqual(new Set(workspaces));
    // The packages of the documentation site are installed separately.
    const manifests = globSync("*/package.json", { cwd: root, exclude: ["docs/**"] });
    expect(manifests).toHaveLength(workspaces.length);
  });
});
