import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import type { ApiKeyItem } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { settingsText } from '../../strings/settings.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { KeyFields, keyFormFields, toKeyBody, toKeyForm } from './key-fields.tsx';
import { CurrentPassword } from './password-field.tsx';
import { keysQuery } from './queries.ts';

const text = settingsText.keys;

export const openChangeKey = (key: ApiKeyItem) =>
  modals.open({
    title: text.changeOf(key.name),
    children: <ChangeKey apiKey={key} />,
    closeOnClickOutside: false,
  });

/** The password is needed only where the key may do more than before: the server says so. */
function ChangeKey({ apiKey }: { readonly apiKey: ApiKeyItem }) {
  const client = useQueryClient();
  const before = toKeyForm(apiKey);
  const form = useForm({
    initialValues: before,
    validate: { name: value => (value.trim() ? null : text.nameMissing) },
  });
  const change = useMutation({
    mutationFn: ({ current_password, ...values }: typeof form.values) => {
      const { expires_at, ...body } = toKeyBody({ ...values, current_password });
      return call('updateKey', {
        params: { id: apiKey.id },
        body: {
          ...body,
          // The form has the day alone: an hour that was given by API stays.
          ...(values.expires_at === before.expires_at ? {} : { expires_at }),
          ...(current_password === '' ? {} : { current_password }),
        },
      });
    },
    onSuccess: async () => {
      notifyDone(text.changed);
      modals.closeAll();
      await client.invalidateQueries(keysQuery);
    },
    onError: error => form.setErrors(fieldErrors(error, keyFormFields)),
  });
  const isOnField = Object.keys(fieldErrors(change.error, keyFormFields)).length > 0;
  return (
    <form onSubmit={form.onSubmit(values => change.mutate(values))} noValidate>
      <Stack>
        <KeyFields form={form} />
        <CurrentPassword description={text.changePasswordHint} {...form.getInputProps('current_password')} />
        {change.error && !isOnField ? <Problem error={change.error} title={text.changeFailed} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
