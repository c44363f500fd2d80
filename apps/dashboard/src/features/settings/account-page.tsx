import { settingsText } from '../../strings/settings.ts';
import { Page } from '../../ui/page.tsx';
import { ChangePassword } from './change-password.tsx';
import { CloseAccount } from './close-account.tsx';
import { EmailPanel } from './email-panel.tsx';
import { PersonForm } from './person-form.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

export function AccountPage() {
  return (
    <Page title={settingsText.account.title}>
      <PersonForm />
      <EmailPanel />
      <ChangePassword />
      <SessionsPanel />
      <CloseAccount />
    </Page>
  );
}
