import { settingsText } from '../../strings/settings.ts';
import { Page } from '../../ui/page.tsx';
import { useMe } from '../shell/me.ts';
import { ChangePassword } from './change-password.tsx';
import { EmailPanel } from './email-panel.tsx';
import { LanguagePanel } from './language-panel.tsx';
import { PersonForm } from './person-form.tsx';
import { ServerPanel } from './server-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

/** Where there is a page about the plan, that one has what is known of the server. */
export function AccountPage() {
  const { service } = useMe();
  return (
    <Page title={settingsText.account.title}>
      <PersonForm />
      <LanguagePanel />
      <EmailPanel />
      <ChangePassword />
      <SessionsPanel />
      {!service.sign_up && <ServerPanel />}
    </Page>
  );
}
