import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { meQuery, useMe } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { nameFault } from '../sign-in/rules.ts';

/** The name that the history of codes shows. */
export function PersonForm() {
  const { user } = useMe();
  const client = useQueryClient();
  const refusal = useRefusal();
  const form = useForm({ initialValues: { name: user.name }, validate: { name: nameFault } });
  const save = useMutation({
    mutationFn: (name: string) => call('updateMe', { body: { name } }),
    onSuccess: me => {
      client.setQueryData(meQuery.queryKey, me);
      form.resetDirty();
      notifyDone('Saved.');
    },
    onError: error => notifyProblem(error, 'Your name was not changed'),
  });
  return (
    <Panel title="You">
      <form onSubmit={form.onSubmit(({ name }) => save.mutate(name))} noValidate>
        <Stack maw={420}>
          <TextInput
            label="Name"
            autoComplete="name"
            {...(refusal ? { readOnly: true, variant: 'filled' } : {})}
            {...form.getInputProps('name')}
          />
          <TextInput label="E-mail" value={user.email} readOnly variant="filled" />
          <Group>
            {refusal ? (
              <RefusedButton reason={refusal}>Save name</RefusedButton>
            ) : (
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                Save name
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
