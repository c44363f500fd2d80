import { Text } from '@mantine/core';
import type { OwnSuspension } from '@signpost/contract';
import { AppealableAlert } from './appealable-alert.tsx';

/** Tells an owner that the account is suspended, why, and what still works. */
export function AccountBanner({ suspension }: { readonly suspension: OwnSuspension }) {
  return (
    <AppealableAlert title="Your account is suspended" suspension={suspension} mb="lg">
      <Text size="sm" c="dimmed">
        None of your links send anybody on, and you cannot make or change anything. Nothing was deleted. You
        can still read, export, delete codes and revoke keys.
      </Text>
    </AppealableAlert>
  );
}
