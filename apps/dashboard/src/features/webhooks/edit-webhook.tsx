import { modals } from '@mantine/modals';
import type { Webhook } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { webhooksText } from '../../strings/webhooks.ts';
import { notifyDone } from '../../ui/problem.tsx';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';

const words = webhooksText.form;

export const openEditWebhook = (webhook: Webhook) =>
  modals.open({
    title: words.editTitle,
    children: <EditWebhook webhook={webhook} />,
    closeOnClickOutside: false,
  });

function EditWebhook({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, description, events, include_code_details } = webhook;
  const mode = useMode();
  const client = useQueryClient();
  const update = useMutation({
    mutationFn: (body: WebhookFields) => call('updateWebhook', { params: { id }, body }),
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(words.saved);
      await client.invalidateQueries({ queryKey: [mode, 'webhooks'] });
    },
  });
  return (
    <WebhookForm
      initial={{ url, description: description ?? '', events: [...events], include_code_details }}
      action={words.save}
      onSubmit={update.mutate}
      isPending={update.isPending}
      error={update.error}
      problem={words.notSaved}
    />
  );
}
