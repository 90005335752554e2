import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { Page } from "#components/page";
import { DeleteAccountCard } from "./delete-account-card.tsx";
import { ChatLinks } from "./chat-links.tsx";
import { DataCard } from "./data-card.tsx";
import { NameForm } from "./name-form.tsx";
import { PasswordCard } from "./password-card.tsx";
import { TwoFactorCard } from "./two-factor-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { messages } from "./messages.ts";

/** The user's own account. */
export function ProfilePage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  if (me === undefined) return null;
  return (
    <Page title={messages.title} lead={messages.lead(me.user.email)}>
      <NameForm name={me.user.name} />
      <PasswordCard />
      <TwoFactorCard />
      <SessionsCard />
      <ChatLinks me={me} />
      <DataCard />
      <DeleteAccountCard />
    </Page>
  );
}
