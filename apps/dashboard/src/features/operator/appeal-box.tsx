import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Suspension } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/operations.ts';
import { LongText } from '../../ui/long-text.tsx';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useForgetAbuse } from './queries.ts';
import { subjectOf } from './use-release.tsx';

type Props = { readonly suspension: Suspension };

/** What the owner says, and what was answered. */
export function AppealBox({ suspension: { appeal } }: Props) {
  if (!appeal) return null;
  return (
    <Paper withBorder p="sm" mt={4} bg="transparent">
      <Text size="xs" c="dimmed" mb={2}>
        The owner appealed <TimeAgo value={appeal.at} />
      </Text>
      <LongText text={appeal.text} what="the appeal" lines={4} size="sm" />
      {appeal.answer && (
        <>
          <Text size="xs" c="dimmed" mt="sm" mb={2}>
            Kept suspended <TimeAgo value={appeal.answer.at} />
            {appeal.answer.text === '' && ', without a reply'}
          </Text>
          {appeal.answer.text !== '' && (
            <LongText text={appeal.answer.text} what="the reply" lines={4} size="sm" />
          )}
        </>
      )}
    </Paper>
  );
}

export function KeepButton({ suspension }: Props) {
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() =>
        modals.open({
          title: 'Keep it suspended?',
          children: <Keep suspension={suspension} />,
          closeOnClickOutside: false,
        })
      }
      aria-label={`Keep suspended ${subjectOf(suspension)}`}
    >
      Keep suspended…
    </Button>
  );
}

/** Answers the appeal. The owner may appeal again. */
function Keep({ suspension }: Props) {
  const forget = useForgetAbuse();
  const [text, setText] = useState('');
  const answer = useMutation({
    mutationFn: () => {
      const reply = text.trim();
      return call('answerAppeal', { params: { id: suspension.id }, body: reply ? { text: reply } : {} });
    },
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(`${subjectOf(suspension)} stays suspended. The owner sees that you read the appeal.`);
      await forget();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    answer.mutate();
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Textarea
          label="Reply"
          description="Optional. The owner reads it, and can appeal again."
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          maxLength={1000}
          autosize
          minRows={3}
          maxRows={8}
          data-autofocus
        />
        {answer.error ? <Problem error={answer.error} title="The appeal was not answered" /> : null}
        <Group justify="flex-end" wrap="nowrap">
          <Button variant="default" onClick={() => modals.closeAll()}>
            Cancel
          </Button>
          <Button type="submit" loading={answer.isPending}>
            Keep suspended
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
