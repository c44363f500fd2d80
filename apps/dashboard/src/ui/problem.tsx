import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { isApiError } from '../api/request.ts';
import { adviceFor } from './advice.ts';

type Props = { readonly error: unknown; readonly onRetry?: () => void; readonly title?: string };

/** What went wrong, what to do about it, and the number under which the operator finds it in the log. */
export function Problem({ error, onRetry, title = 'This could not be loaded' }: Props) {
  const requestId = isApiError(error) ? error.requestId : undefined;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Stack gap="sm">
        <Text size="sm">
          {messageOf(error)} {adviceFor(error)}
        </Text>
        {requestId && (
          <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            Request {requestId}
          </Text>
        )}
        {onRetry && (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** The same for what was tried by a click. */
export function notifyProblem(error: unknown, title: string): void {
  const requestId = isApiError(error) ? error.requestId : undefined;
  notifications.show({
    color: 'red',
    title,
    message: [messageOf(error), adviceFor(error), requestId && `Request ${requestId}.`]
      .filter(Boolean)
      .join(' '),
    autoClose: 12_000,
  });
}

export const notifyDone = (message: string): void => {
  notifications.show({ message, autoClose: 4_000 });
};

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something unforeseen happened.';
