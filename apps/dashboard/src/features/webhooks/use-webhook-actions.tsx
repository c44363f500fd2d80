import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { UpdateWebhook } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { Secret } from '../../ui/secret.tsx';

/** Replays reach back as far as deliveries are kept. */
const replayDays = 7;

/** Everything that can be done with an endpoint. */
export function useWebhookActions(id: string) {
  const mode = useMode();
  const client = useQueryClient();
  const navigate = useNavigate();
  const params = { id };
  const refresh = () => client.invalidateQueries({ queryKey: [mode, 'webhooks'] });

  const update = useMutation({
    mutationFn: (body: UpdateWebhook) => call('updateWebhook', { params, body }),
    onSuccess: async () => {
      notifyDone('Saved.');
      await refresh();
    },
    onError: error => notifyProblem(error, 'The endpoint was not changed'),
  });
  const test = useMutation({
    mutationFn: () => call('testWebhook', { params }),
    onSuccess: async () => {
      notifyDone('A test is on its way. It is listed below in a moment.');
      await refresh();
    },
    onError: error => notifyProblem(error, 'No test was sent'),
  });
  const rotate = useMutation({
    mutationFn: () => call('rotateWebhookSecret', { params, body: {} }),
    onSuccess: async ({ secret }) => {
      modals.open({
        title: 'The new secret',
        children: <Secret value={secret} what="signing secret" onDone={() => modals.closeAll()} />,
        closeOnClickOutside: false,
      });
      await refresh();
    },
    onError: error => notifyProblem(error, 'The secret was not rotated'),
  });
  const replayFailed = useMutation({
    mutationFn: () =>
      call('replayFailedDeliveries', {
        params,
        body: { since: new Date(Date.now() - replayDays * 86_400_000).toISOString() },
      }),
    onSuccess: async ({ replayed }) => {
      notifyDone(
        replayed === 0 ? 'Nothing has failed in the last 7 days.' : `${replayed} are tried again now.`,
      );
      await refresh();
    },
    onError: error => notifyProblem(error, 'Nothing was replayed'),
  });
  const remove = useMutation({
    mutationFn: () => call('deleteWebhook', { params }),
    onSuccess: async () => {
      await navigate({ to: '/settings/webhooks' });
      notifyDone('The endpoint is deleted.');
      await refresh();
    },
    onError: error => notifyProblem(error, 'The endpoint was not deleted'),
  });

  return {
    update,
    test,
    replayFailed,
    rotate: () =>
      modals.openConfirmModal({
        title: 'Make a new secret?',
        children: (
          <Text size="sm">
            For a day every delivery is signed by both, so that you can change over without a gap.
          </Text>
        ),
        labels: { confirm: 'Rotate', cancel: 'Cancel' },
        onConfirm: () => rotate.mutate(),
      }),
    remove: () =>
      modals.openConfirmModal({
        title: 'Delete this endpoint?',
        children: <Text size="sm">Nothing is sent to it any more, and its deliveries are forgotten.</Text>,
        labels: { confirm: 'Delete', cancel: 'Keep it' },
        confirmProps: { color: 'red.8' },
        onConfirm: () => remove.mutate(),
      }),
  };
}
