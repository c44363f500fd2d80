import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Suspension } from '@signpost/contract';
import { maxAppealLength } from '@signpost/contract/values.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/operations.ts';
import { operatorText } from '../../strings/operator.ts';
import { LongText } from '../../ui/long-text.tsx';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useForgetAbuse } from './queries.ts';
import { subjectOf } from './use-release.tsx';

const text = operatorText.appeal;

type Props = { readonly suspension: Suspension };

/** What the owner says, and what was answered. */
export function AppealBox({ suspension: { appeal } }: Props) {
  if (!appeal) return null;
  return (
    <Paper withBorder p="sm" mt={4} bg="transparent">
      <Text size="xs" c="dimmed" mb={2}>
        <Sentence text={text.appealed} parts={{ at: <TimeAgo value={appeal.at} /> }} />
      </Text>
      <LongText text={appeal.text} what={text.theAppeal} lines={4} size="sm" />
      {appeal.answer && (
        <>
          <Text size="xs" c="dimmed" mt="sm" mb={2}>
            <Sentence
              text={appeal.answer.text === '' ? text.keptSilently : text.kept}
              parts={{ at: <TimeAgo value={appeal.answer.at} /> }}
            />
          </Text>
          {appeal.answer.text !== '' && (
            <LongText text={appeal.answer.text} what={text.theReply} lines={4} size="sm" />
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
          title: text.keepTitle,
          children: <Keep suspension={suspension} />,
          closeOnClickOutside: false,
        })
      }
      aria-label={text.keepOf(subjectOf(suspension))}
    >
      {text.keepAsk}
    </Button>
  );
}

/** Answers the appeal. The owner may appeal again. */
function Keep({ suspension }: Props) {
  const forget = useForgetAbuse();
  const [typed, setTyped] = useState('');
  const answer = useMutation({
    mutationFn: () => {
      const reply = typed.trim();
      return call('answerAppeal', { params: { id: suspension.id }, body: reply ? { text: reply } : {} });
    },
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(text.done(subjectOf(suspension)));
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
          label={text.reply}
          description={text.replyHint}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          maxLength={maxAppealLength}
          autosize
          minRows={3}
          maxRows={8}
          data-autofocus
        />
        {answer.error ? <Problem error={answer.error} title={text.failed} /> : null}
        <Group justify="flex-end" wrap="nowrap">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {operatorText.cancel}
          </Button>
          <Button type="submit" loading={answer.isPending}>
            {text.keep}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
