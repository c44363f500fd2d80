import { Alert, Text } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { IconBan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { appealsText } from '../../strings/appeals.ts';
import { useAccount } from '../shell/me.ts';
import { AppealableAlert } from './appealable-alert.tsx';
import { codeSuspensionQuery } from './queries.ts';

/** Tells an owner why a code is suspended. What stops the whole account stands above every page already. */
export function CodeAlert({ code }: { readonly code: QrCode }) {
  const mode = useMode();
  const account = useAccount();
  const { data } = useQuery({
    ...codeSuspensionQuery(mode, code.id),
    enabled: code.availability.state === 'suspended',
  });
  if (code.availability.state !== 'suspended') return null;
  if (data?.suspension)
    return (
      <AppealableAlert title={appealsText.codeTitle} suspension={data.suspension} codeId={code.id}>
        <Text size="sm" c="dimmed">
          {appealsText.codeMeaning}
        </Text>
      </AppealableAlert>
    );
  if (account.suspension || data === undefined) return null;
  return (
    <Alert color="red" icon={<IconBan aria-hidden />} title={appealsText.codeTitle}>
      {code.availability.reason}
    </Alert>
  );
}
