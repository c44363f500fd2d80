import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Problem } from '../../ui/problem.tsx';
import { destinationFault } from '../codes/new-code.ts';

export type WebhookFields = { readonly url: string; readonly description: string };

type Props = {
  readonly initial: WebhookFields;
  readonly action: string;
  readonly onSubmit: (fields: WebhookFields) => void;
  readonly isPending: boolean;
  readonly error: unknown;
  /** What it says when it did not work. */
  readonly problem: string;
};

/** What an owner says about an endpoint. */
export function WebhookForm({ initial, action, onSubmit, isPending, error, problem }: Props) {
  const form = useForm({ initialValues: initial, validate: { url: destinationFault } });
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Stack>
        <TextInput
          label="Address"
          description="Takes a POST for each scan and answers with 2xx."
          placeholder="https://example.com/hooks/signpost"
          type="url"
          data-autofocus
          {...form.getInputProps('url')}
        />
        <TextInput
          label="Description"
          placeholder="A note for yourself"
          {...form.getInputProps('description')}
        />
        {error ? <Problem error={error} title={problem} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
