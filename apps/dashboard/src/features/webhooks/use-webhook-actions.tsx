import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { UpdateWebhook } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { webhooksText } from '../../strings/webhooks.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { SigningSecret } from './signing-secret.tsx';

const words = webhooksText.actions;

/** How far back failed deliveries are retried. */
export const replayDays = 7;

/** Everything that can be done with an endpoint. */
export function useWebhookActions(id: string) {
  const mode = useMode();
  const client = useQueryClient();
  const navigate = useNavigate();
  const params = { id };
  const refresh = () => client.invalidateQueries({ queryKey: [mode, 'webhooks'] });

  const update = useMutation({
    mutationFn: (body: UpdateWebhook) => call('updateWebhook', { params, body }),
    onSuccess: async ({ enabled }) => {
      notifyDone(enabled ? words.turnedOn : words.turnedOff);
      await refresh();
    },
    onError: error => notifyProblem(error, words.notChanged),
  });
  const test = useMutation({
    mutationFn: () => call('testWebhook', { params }),
    onSuccess: async () => {
      notifyDone(words.testSent);
      await refresh();
    },
    onError: error => notifyProblem(error, words.testNotSent),
  });
  const rotate = useMutation({
    mutationFn: () => call('rotateWebhookSecret', { params, body: {} }),
    onSuccess: async ({ secret }) => {
      modals.open({
        title: webhooksText.secret.newTitle,
        children: <SigningSecret value={secret} />,
        closeOnClickOutside: false,
      });
      await refresh();
    },
    onError: error => notifyProblem(error, words.notRotated),
  });
  const replayFailed = useMutation({
    mutationFn: () =>
      call('replayFailedDeliveries', {
        params,
        body: { since: new Date(Date.now() - replayDays * 86_400_000).toISOString() },
      }),
    onSuccess: async ({ replayed }) => {
      notifyDone(replayed === 0 ? words.noneToReplay(replayDays) : words.replayed(replayed));
      await refresh();
    },
    onError: error => notifyProblem(error, words.notReplayed),
  });
  const remove = useMutation({
    mutationFn: () => call('deleteWebhook', { params }),
    onSuccess: async () => {
      await navigate({ to: '/settings/webhooks' });
      notifyDone(words.deleted);
      await refresh();
    },
    onError: error => notifyProblem(error, words.notDeleted),
  });

  return {
    update,
    test,
    replayFailed,
    rotate: () =>
      modals.openConfirmModal({
        title: words.rotateTitle,
        children: <Text size="sm">{words.rotateText}</Text>,
        labels: { confirm: words.rotateConfirm, cancel: words.cancel },
        onConfirm: () => rotate.mutate(),
      }),
    remove: () =>
      modals.openConfirmModal({
        title: words.deleteTitle,
        children: <Text size="sm">{words.deleteText}</Text>,
        labels: { confirm: words.delete, cancel: words.cancel },
        confirmProps: { color: 'red.8' },
        onConfirm: () => remove.mutate(),
      }),
  };
}
