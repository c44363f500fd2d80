import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { webhooksText } from '../../strings/webhooks.ts';
import { Problem } from '../../ui/problem.tsx';
import { destinationFault } from '../codes/new-code.ts';
import { type EventKind, eventKinds } from './events.ts';

const words = webhooksText.form;

export type WebhookFields = {
  readonly url: string;
  readonly description: string;
  readonly events: EventKind[];
  readonly include_code_details: boolean;
};

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
  const form = useForm({ initialValues: initial, validate: { url: destinationFault, events: eventsFault } });
  const { setErrors } = form;
  useEffect(() => {
    if (error) setErrors(fieldErrors(error, ['url', 'description', 'events']));
  }, [error, setErrors]);
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Stack>
        <TextInput
          label={words.address}
          description={words.addressHint}
          placeholder={words.addressPlaceholder}
          type="url"
          data-autofocus
          {...form.getInputProps('url')}
        />
        <TextInput
          label={words.description}
          placeholder={words.descriptionPlaceholder}
          {...form.getInputProps('description')}
        />
        <Checkbox.Group label={words.events} description={words.eventsHint} {...form.getInputProps('events')}>
          <Stack gap="xs" mt="xs">
            {eventKinds.map(kind => (
              <Checkbox
                key={kind}
                value={kind}
                label={webhooksText.events[kind].label}
                description={webhooksText.events[kind].description}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        {form.values.events.includes('scan.created') && (
          <Checkbox
            label={words.codeDetails}
            description={words.codeDetailsHint}
            {...form.getInputProps('include_code_details', { type: 'checkbox' })}
          />
        )}
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

const eventsFault = (events: readonly EventKind[]) => (events.length === 0 ? words.eventsMissing : null);
