import type { MissingCredential } from "@toolhost/contract";

const remedies: Readonly<Record<MissingCredential["reason"], string>> = {
  missing: "Add",
  not_connected: "Connect",
  not_approved: "Approve the use of",
  not_exposable: "Let code read",
};

/** The text of the link that fixes a missing credential. */
export function remedyFor(reason: MissingCredential["reason"], name: string): string {
  return `${remedies[reason]} ${name}`;
}

/** The texts of the pages for adding credentials and approving their use. */
export const credentialMessages = {
  tool: {
    name: "Tool",
    version: "Version",
    author: "Author",
    deletedAuthor: "Deleted account",
    workspace: "Workspace",
    otherWorkspace: " (another workspace)",
    code: "Code",
    viewCode: "View code",
    compare: (version: number) => `Compare with version ${version}`,
  },

  needs: {
    sentTo: (name: string) => `${name} is sent to`,
    allHosts: "all hosts that the credential allows",
    connectsTo: "The tool connects to",
    exposeWarning: (names: string) =>
      `The tool's code sees the value of ${names}. It can send or show the value in ways that Toolhost can't detect. Approve this only if you trust the code of this version. If someone else changes the code, you are asked again.`,
    exposeDenied: (name: string) =>
      `Code can't read ${name} yet. An owner or admin of the workspace must allow it.`,
    exposeChoice: (name: string) => `Let code read ${name}. Otherwise, this version doesn't run.`,
    hostsDenied: (name: string, hosts: string) => `${name} can't be sent to ${hosts}.`,
    hostChoice: (name: string, host: string) => `Allow ${name} to be sent to ${host}`,
    askAdmin: "An owner or admin of the workspace can add these hosts.",
  },

  done: {
    title: "Done",
    stillMissing: "The tool still can't run. Next steps:",
  },

  approval: {
    review: (tool: string) => `Review ${tool}`,
    approve: (tool: string) => `Approve ${tool}?`,
    nothingLeft: "There is nothing left to approve.",
    notLive: (requested: number, live: number) =>
      `Version ${requested} is not the live version. This page is about version ${live}.`,
    foreignTool:
      "Tools from other workspaces never see the value of a credential, so this version doesn't run.",
    save: "Save changes",
    submit: (version: number) => `Approve version ${version}`,
    adminsOnly: "Only owners and admins can approve the use of the workspace's credentials.",
    requests: (isShared: boolean) => `It requests ${credentialsOf(isShared)}:`,
    withdrawn: (isShared: boolean) =>
      `Its approval was withdrawn. It requests ${credentialsOf(isShared)}:`,
    requestsMore: (isShared: boolean) =>
      `It requests more access to ${credentialsOf(isShared)} than was approved:`,
    approved: (version: number, tool: string) => `Version ${version} of ${tool} is approved.`,
    changedTitle: "Nothing was approved",
    toolChanged: "The tool changed",
    draftChanged: "The draft changed",
    changed: "It changed while the page was open, so nothing was approved.",
    reviewAgain: "Review the current version",
  },

  draft: {
    title: "Approve a draft",
    untitled: "your draft",
    lead: "Part of this draft wasn't written by you: it was saved by a key without the right to use your credentials, or comes from another tool. Review its code first.",
    submit: "Approve this revision",
    open: "Open draft",
    approved: "The draft is approved. Run it again.",
    adminsOnly:
      "Only owners and admins can run drafts with the workspace's credentials. Publish the draft, then ask one of them to approve the tool.",
  },

  add: {
    title: (name: string) => `Add ${name}`,
    value: "Value, for example a key or a token",
    hosts: "Allowed hosts, one per line",
    owner: "Available to",
    onlyYou: "Only you",
    workspace: "This workspace",
    storage: "The value is stored encrypted, never shown again, and sent only to these hosts.",
    save: "Save credential",
    saveAndApprove: (version: number) => `Save and approve version ${version}`,
    alsoApproves: (version: number, tool: string) =>
      `This also approves version ${version} of ${tool}`,
    saved: (name: string) => `${name} is saved.`,
    savedButChanged: (name: string) =>
      `${name} is saved. The tool changed while the page was open, so nothing was approved.`,
    valueLength: "The value must have 4 to 16384 characters.",
    noHosts: "Enter at least one host.",
    signInLead: (host: string) =>
      `You get it by signing in at ${host}. The token is stored encrypted, renewed automatically, and sent only to this host.`,
    signIn: (host: string) => `Sign in at ${host}`,
    signInAndApprove: (host: string, version: number) =>
      `Sign in at ${host} and approve version ${version}`,
    enterValue: "Enter a token instead",
  },

  expose: {
    title: (name: string) => `Let code read ${name}`,
    lead: (name: string, isShared: boolean) =>
      `A tool requests the value of ${isShared ? "the workspace's" : "your"} credential ${name}.`,
    warning:
      "Code that sees the value can send or show it in ways that Toolhost can't detect, for example reversed or encrypted. Only approved tools of this workspace that request the value receive it.",
    choice: "Let code read the value. Otherwise, the tool doesn't run.",
    submit: (name: string) => `Let code read ${name}`,
    undo: "You can undo this under Credentials.",
    done: (name: string) => `Code can now read ${name}. Run the tool again.`,
  },
} as const;

function credentialsOf(isShared: boolean): string {
  return isShared ? "the workspace's credentials" : "your credentials";
}
