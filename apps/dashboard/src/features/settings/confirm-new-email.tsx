import { settingsText } from '../../strings/settings.ts';
import { ConfirmByLink } from '../sign-in/confirm-by-link.tsx';

/** The new address of somebody who has an account. */
export function ConfirmNewEmail() {
  return (
    <ConfirmByLink
      words={settingsText.account.email.confirm}
      operation="confirmEmailChange"
      nextUrl="/app/settings/account"
      footer={null}
    />
  );
}
