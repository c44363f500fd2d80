import { IconPlus } from '@tabler/icons-react';
import { codesText } from '../../strings/codes.ts';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { useRefusal, useRoleRefusal } from '../shell/use-refusal.ts';

/** A viewer has none. */
export function NewCodeButton() {
  const refusal = useRefusal('qrcodes:write');
  const isAllowed = useRoleRefusal('qrcodes:write') === undefined;
  const icon = <IconPlus size={18} aria-hidden />;
  if (!isAllowed) return null;
  if (refusal)
    return (
      <RefusedButton reason={refusal} leftSection={icon}>
        {codesText.newCode}
      </RefusedButton>
    );
  return (
    <LinkButton to="/codes/new" leftSection={icon}>
      {codesText.newCode}
    </LinkButton>
  );
}
