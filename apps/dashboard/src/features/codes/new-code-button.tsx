import { IconPlus } from '@tabler/icons-react';
import { codesText } from '../../strings/codes.ts';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { useRefusal } from '../shell/use-refusal.ts';

export function NewCodeButton() {
  const refusal = useRefusal();
  const icon = <IconPlus size={18} aria-hidden />;
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
