import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { QrCode } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { formatNumber } from '../../ui/format.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { useForgetCodes } from './queries.ts';

type Props = { readonly code: QrCode; readonly onDeleted: () => Promise<void> };

export const openDeleteCode = (props: Props) =>
  modals.open({ title: 'Delete this code for ever?', children: <DeleteCode {...props} /> });

/** A printed code cannot be called back, so its name has to be typed. */
function DeleteCode({ code, onDeleted }: Props) {
  const [typed, setTyped] = useState('');
  const mode = useMode();
  const forget = useForgetCodes();
  const remove = useMutation({
    mutationFn: () => call('deleteQrCode', { params: { id: code.id } }),
    onSuccess: async () => {
      modals.closeAll();
      await onDeleted();
      notifyDone(`${code.name} is deleted.`);
      await forget();
    },
  });
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        if (typed === code.name) remove.mutate();
      }}
    >
      <Stack>
        <Text size="sm">
          Its short link stops at once, its {formatNumber(code.total_scans)} scans are erased, and{' '}
          {mode === 'live'
            ? 'nobody ever gets its short code again.'
            : 'only you can use its short code again, in test mode.'}{' '}
          To stop it for a while, pause it instead.
        </Text>
        <TextInput
          label={
            <>
              Type <b>{code.name}</b> to confirm
            </>
          }
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          data-autofocus
          autoComplete="off"
        />
        {remove.error ? <Problem error={remove.error} title="The code was not deleted" /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            Keep it
          </Button>
          <Button type="submit" color="red.8" loading={remove.isPending} disabled={typed !== code.name}>
            Delete for ever
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
