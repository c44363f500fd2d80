import { Alert, Button, Group, List, Progress, ScrollArea, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { organiseText } from '../../strings/organise.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import type { BatchResult, BulkOutcome, Failure } from './run-bulk.ts';
import type { Selection } from './selection.ts';
import { type BulkState, useBulk } from './use-bulk.ts';

const text = organiseText.bulk;

export type BulkDialogProps = {
  readonly selection: Selection;
  /** What was changed is no longer selected. */
  readonly onDone: () => void;
  readonly onClose: () => void;
};

type Props = BulkDialogProps & {
  /** The codes that are sent; left out, all that are selected. */
  readonly ids?: readonly string[];
  readonly submit: string;
  readonly isReady: boolean;
  readonly color?: string;
  readonly says: (done: number) => string;
  readonly failed?: string;
  readonly send: (ids: readonly string[]) => Promise<BatchResult>;
  /** Called instead of sending, while the form is not ready. */
  readonly onIncomplete?: () => void;
  readonly children: ReactNode;
};

/** The frame of work on many codes: its fields, then how far it is, then what became of it. */
export function BulkForm({ selection, onDone, onClose, children, ...props }: Props) {
  const { submit, isReady, color, says, failed = text.failed, send, onIncomplete } = props;
  const ids = props.ids ?? [...selection.keys()];
  const { bulk, run, stop } = useBulk();
  const start = async () => {
    const outcome = await run(ids, send);
    if (outcome.done > 0) notifyDone(says(outcome.done));
    if (outcome.error !== undefined || outcome.failures.length > 0) return;
    onDone();
    onClose();
  };
  if (bulk.state === 'running') return <Running bulk={bulk} onStop={stop} />;
  if (bulk.state === 'ended')
    return (
      <Stack>
        <Outcome outcome={bulk.outcome} selection={selection} says={says} failed={failed} />
        <Group justify="flex-end">
          <Button
            onClick={() => {
              onDone();
              onClose();
            }}
            data-autofocus
          >
            {text.close}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (isReady) void start();
        else onIncomplete?.();
      }}
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {text.cancel}
          </Button>
          <Button type="submit" {...(color ? { color } : {})} disabled={!isReady && !onIncomplete}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type RunningProps = {
  readonly bulk: Extract<BulkState, { state: 'running' }>;
  readonly onStop: () => void;
};

function Running({ bulk: { progress, total }, onStop }: RunningProps) {
  const { sent, waitUntil } = progress;
  const seconds = useSecondsUntil(waitUntil);
  return (
    <Stack>
      <Text size="sm" role="status" className="figures">
        {waitUntil === undefined ? text.progress(sent, total) : text.waiting(seconds)}
      </Text>
      <Progress value={(100 * sent) / total} animated aria-label={text.progress(sent, total)} />
      {sent < total && (
        <Group justify="flex-end">
          <Button variant="default" onClick={onStop}>
            {text.stop}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

type OutcomeProps = {
  readonly outcome: BulkOutcome;
  readonly selection: Selection;
  readonly says: (done: number) => string;
  readonly failed: string;
};

function Outcome({ outcome: { done, failures, error }, selection, says, failed }: OutcomeProps) {
  return (
    <>
      {done > 0 && (
        <Text size="sm" role="status">
          {says(done)}
        </Text>
      )}
      {error !== undefined && <Problem error={error} title={done > 0 ? text.partly(done) : failed} />}
      {failures.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={text.failures(failures.length)}>
          <FailureList failures={failures} selection={selection} />
        </Alert>
      )}
    </>
  );
}

type FailureListProps = { readonly failures: readonly Failure[]; readonly selection: Selection };

/** Codes that stay as they were, each with the reason. */
export function FailureList({ failures, selection }: FailureListProps) {
  return (
    <ScrollArea.Autosize mah={180} type="auto" viewportProps={{ tabIndex: 0 }}>
      <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
        {failures.map(({ id, message }) => (
          <List.Item key={id}>
            <b>{selection.get(id)?.name ?? id}</b>: {message}
          </List.Item>
        ))}
      </List>
    </ScrollArea.Autosize>
  );
}

function useSecondsUntil(until: number | undefined): number {
  const [, tick] = useState(0);
  useEffect(() => {
    if (until === undefined) return;
    const timer = setInterval(() => tick(now => now + 1), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return until === undefined ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}
