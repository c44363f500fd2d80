import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { Secret } from '../../ui/secret.tsx';
import { webhooksQuery } from './queries.ts';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';

export const openCreateWebhook = () =>
  modals.open({ title: 'New endpoint', children: <CreateWebhook />, closeOnClickOutside: false });

function CreateWebhook() {
  const mode = useMode();
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (body: WebhookFields) => call('createWebhook', { body }),
    onSuccess: () => client.invalidateQueries(webhooksQuery(mode)),
  });
  if (create.data)
    return <Secret value={create.data.secret} what="signing secret" onDone={() => modals.closeAll()} />;
  return (
    <WebhookForm
      initial={{ url: '', description: '', events: ['scan.created'] }}
      action="Create endpoint"
      onSubmit={create.mutate}
      isPending={create.isPending}
      error={create.error}
      problem="The endpoint was not created"
    />
  );
}
