import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { Page } from "#components/page";
import { AccountCard } from "./account-card.tsx";
import { ChatLinks } from "./chat-links.tsx";
import { DataCard } from "./data-card.tsx";
import { NameForm } from "./name-form.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** The person's own account. */
export function ProfilePage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  if (me === undefined) return null;
  return (
    <Page title="Profile" lead={`You are signed in as ${me.user.email}.`}>
      <NameForm name={me.user.name} />
      <PasswordCard />
      <SecondFactorCard />
      <SessionsCard />
      <ChatLinks me={me} />
      <DataCard />
      <AccountCard />
    </Page>
  );
}
