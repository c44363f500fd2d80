import { Button } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { useUpdateCode } from './use-update-code.ts';

/** Turns a code off and on. */
export function PauseButton({ code }: { readonly code: QrCode }) {
  const update = useUpdateCode(code.id);
  const refusal = useRefusal();
  const Icon = code.active ? IconPlayerPause : IconPlayerPlay;
  const look = { variant: 'default', leftSection: <Icon size={16} aria-hidden /> };
  const label = code.active ? 'Pause' : code.status === 'draft' ? 'Publish' : 'Resume';
  if (refusal)
    return (
      <RefusedButton reason={refusal} {...look}>
        {label}
      </RefusedButton>
    );
  return (
    <Button {...look} loading={update.isPending} onClick={() => update.mutate({ active: !code.active })}>
      {label}
    </Button>
  );
}
