import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { settingsText } from '../../strings/settings.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyDone, useNotSaved } from '../../ui/problem.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { meQuery, useMe } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { nameFault } from '../sign-in/rules.ts';

const text = settingsText.account.profile;

/** The name that the history of codes shows. */
export function PersonForm() {
  const { user } = useMe();
  const client = useQueryClient();
  const refusal = useRefusal('profile:manage');
  const notSaved = useNotSaved(text.failed);
  const form = useForm({ initialValues: { name: user.name }, validate: { name: nameFault } });
  const save = useMutation({
    mutationFn: (name: string) => call('updateMe', { body: { name } }),
    onSuccess: me => {
      client.setQueryData(meQuery.queryKey, me);
      form.resetDirty();
      notSaved.forget();
      notifyDone(text.saved);
    },
    onError: (error, name) => notSaved.notify(error, () => save.mutate(name)),
  });
  return (
    <Panel title={text.title}>
      <form onSubmit={form.onSubmit(({ name }) => save.mutate(name))} noValidate>
        <Stack maw={420}>
          <TextInput
            label={text.name}
            autoComplete="name"
            {...(refusal ? { readOnly: true, variant: 'filled' } : {})}
            {...form.getInputProps('name')}
          />
          <Group>
            {refusal ? (
              <RefusedButton reason={refusal}>{text.save}</RefusedButton>
            ) : (
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                {text.save}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
