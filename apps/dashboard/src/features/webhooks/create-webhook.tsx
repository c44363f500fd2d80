import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { webhooksText } from '../../strings/webhooks.ts';
import { webhooksQuery } from './queries.ts';
import { SigningSecret } from './signing-secret.tsx';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';

const words = webhooksText.form;

export const openCreateWebhook = () =>
  modals.open({ title: words.createTitle, children: <CreateWebhook />, closeOnClickOutside: false });

function CreateWebhook() {
  const mode = useMode();
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (body: WebhookFields) => call('createWebhook', { body }),
    onSuccess: () => client.invalidateQueries(webhooksQuery(mode)),
  });
  if (create.data) return <SigningSecret value={create.data.secret} />;
  return (
    <WebhookForm
      initial={{ url: '', description: '', events: ['scan.created'], include_code_details: false }}
      action={words.create}
      onSubmit={create.mutate}
      isPending={create.isPending}
      error={create.error}
      problem={words.notCreated}
    />
  );
}
