import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import { maxAppealLength } from '@signpost/contract/values.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { appealsText } from '../../strings/appeals.ts';
import { formatNumber } from '../../ui/format.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { meQuery } from '../shell/me.ts';
import { codeSuspensionQuery } from './queries.ts';

const words = appealsText.form;

export const openAppeal = (codeId: string | undefined, before = '') =>
  modals.open({
    title: before ? words.changeTitle : words.title,
    children: <Appeal codeId={codeId} before={before} />,
    closeOnClickOutside: false,
  });

/** One form for codes and accounts: what the owner has to say, for the operator to read. */
function Appeal({ codeId, before }: { readonly codeId: string | undefined; readonly before: string }) {
  const mode = useMode();
  const client = useQueryClient();
  const [text, setText] = useState(before);
  const [missing, setMissing] = useState(false);
  const send = useMutation({
    mutationFn: () => {
      const body = { text: text.trim() };
      return codeId === undefined
        ? call('appealAccount', { body })
        : call('appealCode', { params: { id: codeId }, body });
    },
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(words.sent);
      const { queryKey } = codeId === undefined ? meQuery : codeSuspensionQuery(mode, codeId);
      await client.invalidateQueries({ queryKey });
    },
  });
  const refused = fieldErrors(send.error, ['text']).text;
  function submit(event: FormEvent) {
    event.preventDefault();
    setMissing(text.trim() === '');
    if (text.trim() !== '') send.mutate();
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Textarea
          label={words.label}
          description={words.hint}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          error={refused ?? (missing && text.trim() === '' ? words.missing : undefined)}
          maxLength={maxAppealLength}
          autosize
          minRows={5}
          maxRows={12}
          data-autofocus
        />
        <Text size="xs" c="dimmed" ta="right" className="figures">
          {words.length(formatNumber(text.length), formatNumber(maxAppealLength))}
        </Text>
        {send.error && !refused ? <Problem error={send.error} title={words.failure} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={send.isPending}>
            {words.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
