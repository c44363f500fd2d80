import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useMutation, useQuery } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { peopleText } from '../../strings/people.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMe } from '../shell/me.ts';
import { ownAccountsQuery } from './queries.ts';

const text = peopleText.newAccount;

/** Opens the account that was created. A dialog is outside of the router. */
type Props = { readonly enter: (id: string) => Promise<void> };

export const openNewAccountDialog = (enter: Props['enter']) =>
  modals.open({ title: text.title, children: <NewAccount enter={enter} />, closeOnClickOutside: false });

function NewAccount({ enter }: Props) {
  const query = useQuery(ownAccountsQuery);
  return (
    <QueryView query={query} lines={3}>
      {({ can_create, limit }) =>
        can_create ? (
          <NewAccountForm enter={enter} />
        ) : (
          <Stack gap="xs">
            <Text fw={500}>{text.fullTitle}</Text>
            <Text size="sm">{text.full(limit)}</Text>
          </Stack>
        )
      }
    </QueryView>
  );
}

/** A name and the designs to begin with; then the new account is opened. */
function NewAccountForm({ enter }: Props) {
  const { accounts } = useMe();
  const form = useForm({
    initialValues: { name: '', from: '' },
    validate: { name: value => (value.trim() ? null : text.nameMissing) },
  });
  const create = useMutation({
    mutationFn: ({ name, from }: typeof form.values) =>
      call('createAccount', {
        body: { name: name.trim(), ...(from === '' ? {} : { copy_designs_from: from }) },
      }),
    onSuccess: async ({ id, name }) => {
      modals.closeAll();
      await enter(id);
      notifyDone(text.created(name));
    },
    onError: error => form.setErrors(fieldErrors(error, ['name'])),
  });
  const isOnField = Object.keys(fieldErrors(create.error, ['name'])).length > 0;
  return (
    <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {text.text}
        </Text>
        <TextInput
          label={text.name}
          placeholder={text.placeholder}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        {accounts.length > 0 && (
          <NativeSelect
            label={text.copy}
            description={text.copyHint}
            data={[
              { value: '', label: text.copyNone },
              ...accounts.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...form.getInputProps('from')}
          />
        )}
        {create.error && !isOnField ? <Problem error={create.error} title={text.failed} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {peopleText.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {text.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
