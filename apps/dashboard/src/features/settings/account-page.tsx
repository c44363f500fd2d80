import { Page } from '../../ui/page.tsx';
import { ChangePassword } from './change-password.tsx';
import { PersonForm } from './person-form.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

export function AccountPage() {
  return (
    <Page title="Account" description="You, your password, and where you are signed in.">
      <PersonForm />
      <ChangePassword />
      <SessionsPanel />
    </Page>
  );
}
