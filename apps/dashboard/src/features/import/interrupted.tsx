import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { importText } from '../../strings/import.ts';
import { OtherMode, type Sending } from './use-sending.ts';

type Props = {
  readonly sending: Extract<Sending, { state: 'interrupted' }>;
  readonly onRetry: () => void;
};

const words = importText.run;

/** The line was cut, or the server failed: what is sent is safe, and one click goes on. */
export function Interrupted({ sending: { done, error }, onRetry }: Props) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={words.interrupted} role="alert">
      <Stack gap="sm">
        <Text size="sm">
          {reasonOf(error)} {words.interruptedBody(done)}
        </Text>
        <Group>
          <Button size="xs" onClick={onRetry}>
            {words.retry}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof OtherMode) return words.otherMode[error.mode];
  if (!navigator.onLine) return words.offline;
  return error instanceof Error ? error.message : '';
}
