import { Text } from '@mantine/core';
import type { OwnSuspension } from '@signpost/contract';
import { appealsText } from '../../strings/appeals.ts';
import { AppealableAlert } from './appealable-alert.tsx';

/** Tells an owner that the account is suspended, why, and what still works. */
export function AccountBanner({ suspension }: { readonly suspension: OwnSuspension }) {
  return (
    <AppealableAlert title={appealsText.accountTitle} suspension={suspension} mb="lg">
      <Text size="sm" c="dimmed">
        {appealsText.accountMeaning}
      </Text>
    </AppealableAlert>
  );
}
