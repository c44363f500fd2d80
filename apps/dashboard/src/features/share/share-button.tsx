import { Button } from '@mantine/core';
import { IconShare } from '@tabler/icons-react';
import { shareText } from '../../strings/share.ts';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useRefusal, useRoleRefusal } from '../shell/use-refusal.ts';
import { openShare } from './open-share.ts';
import type { ShareSubject } from './subject.ts';

/** Only for people who may share figures. */
export function ShareButton({ subject }: { readonly subject: ShareSubject }) {
  const refusal = useRefusal('share-links:write');
  const isHidden = useRoleRefusal('share-links:write') !== undefined;
  const icon = <IconShare size={16} aria-hidden />;
  if (isHidden) return null;
  if (refusal)
    return (
      <RefusedButton reason={refusal} variant="default" leftSection={icon}>
        {shareText.open}
      </RefusedButton>
    );
  return (
    <Button variant="default" leftSection={icon} onClick={() => void openShare(subject)}>
      {shareText.open}
    </Button>
  );
}
