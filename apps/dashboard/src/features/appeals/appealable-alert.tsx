import { Alert, type AlertProps, Button, Group, Stack, Text } from '@mantine/core';
import type { OwnSuspension } from '@signpost/contract';
import { IconBan } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { appealsText } from '../../strings/appeals.ts';
import { formatDateTime } from '../../ui/format.ts';
import { LongText } from '../../ui/long-text.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useRoleRefusal } from '../shell/use-refusal.ts';
import { openAppeal } from './appeal.tsx';

type Props = AlertProps & {
  readonly title: string;
  readonly suspension: OwnSuspension;
  /** Of the code, where a code is suspended and not the account. */
  readonly codeId?: string;
  /** What it means for the owner. */
  readonly children: ReactNode;
};

/** A suspension as its owner sees it: why, since when, and the way to say that it is a mistake. */
export function AppealableAlert({ title, suspension, codeId, children, ...rest }: Props) {
  const { reason, suspended_at, appeal } = suspension;
  const answer = appeal?.answer;
  const refusal = useRoleRefusal(codeId === undefined ? 'account:manage' : 'qrcodes:write');
  const action = answer ? appealsText.appealAgain : appeal ? appealsText.changeAppeal : appealsText.appeal;
  return (
    <Alert color="red" icon={<IconBan aria-hidden />} title={title} {...rest}>
      <Stack gap="sm">
        <LongText text={reason} what={appealsText.reason} size="sm" />
        {children}
        {appeal && (
          <div>
            <Text size="sm" c="dimmed">
              <Sentence text={appealsText.appealed} parts={{ at: <TimeAgo value={appeal.at} /> }} />{' '}
              {!answer && appealsText.waiting}
            </Text>
            <LongText text={appeal.text} what={appealsText.yourAppeal} size="sm" />
          </div>
        )}
        {answer && (
          <LongText
            text={
              answer.text
                ? appealsText.answeredWith(formatDateTime(answer.at), answer.text)
                : appealsText.answered(formatDateTime(answer.at))
            }
            what={appealsText.answer}
            size="sm"
          />
        )}
        <Group gap="md">
          {refusal ? (
            <RefusedButton reason={refusal} size="xs" variant="default">
              {action}
            </RefusedButton>
          ) : (
            <Button
              size="xs"
              variant="default"
              onClick={() => openAppeal(codeId, answer ? '' : appeal?.text)}
            >
              {action}
            </Button>
          )}
          <Text size="xs" c="dimmed">
            {appealsText.since(formatDateTime(suspended_at))}
          </Text>
        </Group>
      </Stack>
    </Alert>
  );
}
