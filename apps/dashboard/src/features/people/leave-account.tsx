import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { peopleText } from '../../strings/people.ts';
import { Problem } from '../../ui/problem.tsx';
import type { Account } from '../shell/me.ts';

const text = peopleText.general;

/** `onLeft` leads to where this person still belongs. A dialog is outside of the router. */
export const openLeaveAccount = ({ name }: Account, onLeft: () => Promise<void>) =>
  modals.open({ title: text.leaveTitle(name), children: <LeaveAccount onLeft={onLeft} /> });

function LeaveAccount({ onLeft }: { readonly onLeft: () => Promise<void> }) {
  const leave = useMutation({
    mutationFn: () => call('leaveAccount', {}),
    onSuccess: async () => {
      modals.closeAll();
      await onLeft();
    },
  });
  return (
    <Stack>
      <Text size="sm">{text.leaveDialog}</Text>
      <Text size="sm">{text.leaveKeys}</Text>
      {leave.error ? <Problem error={leave.error} title={text.leaveFailed} /> : null}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => modals.closeAll()}>
          {peopleText.cancel}
        </Button>
        <Button color="red.8" loading={leave.isPending} onClick={() => leave.mutate()}>
          {text.leaveConfirm}
        </Button>
      </Group>
    </Stack>
  );
}
