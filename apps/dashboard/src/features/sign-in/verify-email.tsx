import { signInText } from '../../strings/sign-in.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { ConfirmByLink } from './confirm-by-link.tsx';

/** The address that somebody signed up with. */
export function VerifyEmail() {
  const words = signInText.verifyEmail;
  return (
    <ConfirmByLink
      words={words}
      operation="verifyEmail"
      nextUrl="/app/codes"
      footer={<LinkAnchor to="/codes">{words.next}</LinkAnchor>}
    />
  );
}
