import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { QrCode } from '@signpost/contract';
import { fieldErrors } from '../../api/field-errors.ts';
import { codesText } from '../../strings/codes.ts';
import { commonText } from '../../strings/common.ts';
import { useNotSaved } from '../../ui/problem.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useUnsavedWork } from '../../ui/unsaved-work.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { withScheme } from './destination.ts';
import { DestinationField } from './destination-field.tsx';
import { codeFaults } from './new-code.ts';
import { useUpdateCode } from './use-update-code.tsx';

const text = codesText.form;
const fields = ['name', 'destination_url'] as const;

/** Name and destination. Only what differs is sent. */
export function EditCode({ code }: { readonly code: QrCode }) {
  const { change, isPending } = useUpdateCode(code);
  const refusal = useRefusal();
  const notSaved = useNotSaved(commonText.problem.notSaved);
  const form = useForm({
    initialValues: { name: code.name, destination_url: code.destination_url },
    validate: { name: codeFaults.name, destination_url: codeFaults.destination_url },
    transformValues: ({ name, destination_url }) => ({ name, destination_url: withScheme(destination_url) }),
  });
  useUnsavedWork(form.isDirty());
  const locked = refusal ? { locked: { readOnly: true, variant: 'filled' } as const } : {};
  const save = form.onSubmit(({ name, destination_url }) =>
    change(
      {
        ...(name === code.name ? {} : { name }),
        ...(destination_url === code.destination_url ? {} : { destination_url }),
      },
      (error, again) => {
        const faults = fieldErrors(error, fields);
        form.setErrors(faults);
        if (Object.keys(faults).length === 0) notSaved.notify(error, again);
      },
    ),
  );
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        <TextInput
          label={text.name}
          description={refusal}
          {...locked.locked}
          {...form.getInputProps('name')}
        />
        <DestinationField
          value={form.values.destination_url}
          onChange={value => form.setFieldValue('destination_url', value)}
          error={form.errors.destination_url}
          description={
            refusal ?? (code.availability.state === 'suspended' ? text.editHintSuspended : text.editHint)
          }
          {...locked}
        />
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              form.reset();
              notSaved.forget();
            }}
            disabled={!form.isDirty()}
          >
            {text.discard}
          </Button>
          {refusal ? (
            <RefusedButton reason={refusal}>{text.save}</RefusedButton>
          ) : (
            <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
              {text.save}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
