import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { isApiError } from '../api/request.ts';
import { commonText } from '../strings/common.ts';
import { isFault, sentenceOf, toastOf } from './problem-words.ts';

const words = commonText.problem;

type Props = {
  readonly error: unknown;
  readonly title?: string;
  readonly onRetry?: () => void;
  readonly isRetrying?: boolean;
};

/** What went wrong, what to do about it, and the number under which the operator finds it in the log. */
export function Problem({ error, title = words.notLoaded, onRetry, isRetrying = false }: Props) {
  const requestId = isApiError(error) ? error.requestId : undefined;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Stack gap="sm">
        <Text size="sm">{sentenceOf(error)}</Text>
        {requestId && (
          <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {words.request(requestId)}
          </Text>
        )}
        {onRetry && (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry} loading={isRetrying}>
              {commonText.tryAgain}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

type Toast = {
  /** Does the same again. Only where what was typed is still there to be sent. */
  readonly onRetry?: () => void;
};

/** The same for what was tried by a click. `title` says what did not happen: "Not saved". */
export function notifyProblem(error: unknown, title: string, { onRetry: again }: Toast = {}): void {
  const requestId = isApiError(error) ? error.requestId : undefined;
  const onRetry = isFault(error) ? again : undefined;
  const toast = toastOf(error, title, onRetry !== undefined);
  const id = problemId(title);
  notifications.hide(id);
  notifications.show({
    id,
    color: 'red',
    title: toast.title,
    message: (
      <Stack gap={6} align="flex-start">
        {toast.text && <span>{toast.text}</span>}
        {requestId && (
          <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {words.request(requestId)}
          </Text>
        )}
        {onRetry && <ToastAction id={id} label={commonText.retry} act={onRetry} />}
      </Stack>
    ),
    autoClose: onRetry ? false : 12_000,
  });
}

const problemId = (title: string) => `problem ${title}`;

/** Says what was not saved of a form, with Retry. The toast goes with what was typed: when it is saved, discarded or left. */
export function useNotSaved(title: string) {
  const forget = () => {
    notifications.hide(problemId(title));
  };
  useEffect(() => () => void notifications.hide(problemId(title)), [title]);
  return {
    notify: (error: unknown, onRetry: () => void) => notifyProblem(error, title, { onRetry }),
    forget,
  };
}

type Done = {
  /** Takes it back. */
  readonly onUndo?: () => void;
};

export function notifyDone(message: string, { onUndo }: Done = {}): void {
  if (!onUndo) {
    notifications.show({ message, autoClose: 4_000 });
    return;
  }
  const id = `done ${message}`;
  notifications.hide(id);
  notifications.show({
    id,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span>{message}</span>
        <ToastAction id={id} label={commonText.undo} act={onUndo} />
      </Group>
    ),
    autoClose: 8_000,
  });
}

type ActionProps = { readonly id: string; readonly label: string; readonly act: () => void };

function ToastAction({ id, label, act }: ActionProps) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => {
        notifications.hide(id);
        act();
      }}
    >
      {label}
    </Button>
  );
}
