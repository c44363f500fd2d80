import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { codesText } from '../../strings/codes.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import type { CodeFacts } from './code-facts.ts';
import { deletionKey, useForgetCodes } from './queries.ts';

type Props = {
  readonly code: Pick<CodeFacts, 'id' | 'name' | 'total_scans'>;
  readonly onDeleted: () => Promise<void>;
};

const text = codesText.deletion;

export const openDeleteCode = (props: Props) =>
  modals.open({ title: text.title, children: <DeleteCode {...props} /> });

/** A printed code cannot be called back, so its name has to be typed. */
function DeleteCode({ code, onDeleted }: Props) {
  const [typed, setTyped] = useState('');
  const mode = useMode();
  const forget = useForgetCodes();
  const remove = useMutation({
    mutationKey: deletionKey(code.id),
    mutationFn: () => call('deleteQrCode', { params: { id: code.id } }),
    onSuccess: async () => {
      modals.closeAll();
      await onDeleted();
      notifyDone(text.done(code.name));
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
          {text.body(code.total_scans)} {text[mode]} {text.instead}
        </Text>
        <TextInput
          label={<Sentence text={text.type} parts={{ name: <b>{code.name}</b> }} />}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          data-autofocus
          autoComplete="off"
        />
        {remove.error ? <Problem error={remove.error} title={text.failed} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {codesText.cancel}
          </Button>
          <Button type="submit" color="red.8" loading={remove.isPending} disabled={typed !== code.name}>
            {text.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
