import { IconPlus } from '@tabler/icons-react';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { useRefusal } from '../shell/use-refusal.ts';

export function NewCodeButton() {
  const refusal = useRefusal();
  const icon = <IconPlus size={18} aria-hidden />;
  if (refusal)
    return (
      <RefusedButton reason={refusal} leftSection={icon}>
        New code
      </RefusedButton>
    );
  return (
    <LinkButton to="/codes/new" leftSection={icon}>
      New code
    </LinkButton>
  );
}
