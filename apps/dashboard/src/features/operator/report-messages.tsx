import { Button, Stack, Text } from '@mantine/core';
import type { Report } from '@signpost/contract';
import { useState } from 'react';
import { operatorText } from '../../strings/operator.ts';
import { LongText } from '../../ui/long-text.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import classes from './report-messages.module.css';
import { kindNames } from './words.ts';

const text = operatorText.reports;

const shownAtFirst = 3;

/** What strangers have written, newest first. */
export function ReportMessages({ messages }: Pick<Report, 'messages'>) {
  const [all, setAll] = useState(false);
  const shown = all ? messages : messages.slice(0, shownAtFirst);
  const more = messages.length - shownAtFirst;
  return (
    <Stack gap="xs" align="flex-start">
      <ul className={classes.messages} aria-label={text.messages}>
        {shown.map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id, and two may be alike.
          <li key={at} className={classes.message}>
            {message.text === '' ? (
              <Text size="sm" c="dimmed">
                {text.noText}
              </Text>
            ) : (
              <LongText text={message.text} what={text.thisMessage} size="sm" />
            )}
            <Text size="xs" c="dimmed">
              {kindNames[message.kind]}, <TimeAgo value={message.at} />
            </Text>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button size="compact-sm" variant="subtle" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? text.fewer : text.more(more)}
        </Button>
      )}
    </Stack>
  );
}
