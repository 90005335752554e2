/** What the actions of the audit trail are called. One that is not listed is shown by its own name. */
const words: Readonly<Record<string, string>> = {
  "api_key.create": "Made an API key",
  "api_key.revoke": "Revoked an API key",
  "audit.export": "Exported the trail",
  "audit.trim": "Removed old events",
  "chat.break": "Lost a chat",
  "chat.change": "Changed a chat",
  "chat.connect": "Connected a chat",
  "chat.disconnect": "Disconnected a chat",
  "chat.link": "Linked a chat user",
  "chat.retry": "Tried a chat message again",
  "chat.unlink": "Unlinked a chat user",
  "connected_app.connect": "Connected an app",
  "connected_app.revoke": "Disconnected an app",
  "credential.connect": "Connected a credential",
  "credential.create": "Kept a credential",
  "credential.delete": "Deleted a credential",
  "credential.refresh_failed": "Could not renew a credential",
  "credential.replace": "Replaced a credential",
  "draft.create": "Began a draft",
  "draft.delete": "Discarded a draft",
  "encryption_key.rotate": "Changed the encryption key",
  "file.create": "Made a file",
  "file.upload": "Uploaded a file",
  "invitation.create": "Invited somebody",
  "invitation.revoke": "Withdrew an invitation",
  "member.change_role": "Changed a role",
  "member.join": "Joined",
  "member.leave": "Left",
  "member.remove": "Removed a member",
  "run.cancel": "Cancelled a run",
  "run.create": "Ran a tool",
  "session.revoke": "Ended a session",
  "tool.approval_withdraw": "Withdrew an approval",
  "tool.approve": "Approved a tool",
  "tool.accept_update": "Accepted an update",
  "tool.archive": "Archived a tool",
  "tool.create": "Made a tool",
  "tool.delete": "Deleted an archived tool",
  "tool.install": "Installed a tool",
  "tool.restore": "Restored a version",
  "tool.uninstall": "Uninstalled a tool",
  "tool.update": "Changed a tool",
  "workspace.create": "Made the workspace",
  "workspace.delete": "Deleted the workspace",
  "workspace.rename": "Renamed the workspace",
  "workspace.configure": "Changed the settings",
  "workspace.transfer": "Handed the workspace over",
};

/** What somebody did, in words. */
export function actionLabel(action: string): string {
  return words[action] ?? action;
}

/** All that can be filtered by, in the order of their words; what stands in the address is among them. */
export function actionChoices(chosen: string | undefined): { id: string; label: string }[] {
  const known = Object.keys(words);
  const all = chosen === undefined || known.includes(chosen) ? known : [...known, chosen];
  return all
    .map((id) => ({ id, label: actionLabel(id) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
