import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { importText } from '../../strings/import.ts';
import { RefusedButton } from '../../ui/refused-button.tsx';
import classes from './create-bar.module.css';
import type { Sending } from './use-sending.ts';

type Props = {
  readonly ready: number;
  readonly sending: Sending;
  /** Why nothing can be made. */
  readonly refusal: string | undefined;
  readonly onCreate: () => void;
  readonly onStop: () => void;
  readonly onStartOver: () => void;
};

/** Stays at the lower edge of the page: what would be made, or how far it is. */
export function CreateBar({ ready, sending, refusal, onCreate, onStop, onStartOver }: Props) {
  if (sending.state === 'interrupted') return null;
  const button = ready === 0 ? importText.create.none : importText.create.button(ready);
  return (
    <Paper withBorder shadow="md" className={classes.bar}>
      {sending.state === 'running' ? (
        <Running sending={sending} onStop={onStop} />
      ) : (
        <Group justify="space-between" gap="sm">
          <Text size="sm" className="figures">
            {ready === 0 ? importText.create.noneReady : importText.create.ready(ready)}
          </Text>
          <Group gap="sm">
            <Button variant="default" onClick={onStartOver}>
              {importText.create.cancel}
            </Button>
            {refusal ? (
              <RefusedButton reason={refusal}>{button}</RefusedButton>
            ) : (
              <Button onClick={onCreate} disabled={ready === 0}>
                {button}
              </Button>
            )}
          </Group>
        </Group>
      )}
    </Paper>
  );
}

type RunningProps = {
  readonly sending: Extract<Sending, { state: 'running' }>;
  readonly onStop: () => void;
};

function Running({ sending: { isCheck, done, total, stopping, waitUntil }, onStop }: RunningProps) {
  const words = importText.run;
  const seconds = useSecondsUntil(waitUntil);
  const progress = isCheck ? words.checking(done, total) : words.progress(done, total);
  return (
    <Group gap="md" wrap="nowrap">
      <div className={classes.progress}>
        <Text size="sm" role="status" mb={6} className="figures">
          {stopping ? words.stopping : waitUntil === undefined ? progress : words.waiting(seconds)}
        </Text>
        <Progress value={(100 * done) / total} aria-label={progress} animated={!stopping} />
      </div>
      <Button variant="default" onClick={onStop} disabled={stopping}>
        {words.stop}
      </Button>
    </Group>
  );
}

function useSecondsUntil(until: number | undefined): number {
  const left = () => (until === undefined ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000)));
  const [, tick] = useState(0);
  useEffect(() => {
    if (until === undefined) return;
    const timer = setInterval(() => tick(now => now + 1), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left();
}
