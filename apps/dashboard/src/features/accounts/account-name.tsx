import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { peopleText } from '../../strings/people.ts';
import { Panel } from '../../ui/panel.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useAccount } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { useUpdateAccount } from './use-update-account.ts';

const text = peopleText.general;

/** What people see in the list of their accounts. Owners change it. */
export function AccountName() {
  const { name } = useAccount();
  const refusal = useRefusal('account:own');
  const save = useUpdateAccount(text.nameSaved, text.nameFailed);
  const form = useForm({
    initialValues: { name },
    validate: { name: value => (value.trim() ? null : text.nameMissing) },
  });
  return (
    <Panel title={text.nameTitle} description={text.nameText}>
      <form onSubmit={form.onSubmit(values => save.mutate({ name: values.name.trim() }))} noValidate>
        <Stack maw={420}>
          <TextInput
            label={text.name}
            autoComplete="off"
            {...(refusal ? { readOnly: true, variant: 'filled' } : {})}
            {...form.getInputProps('name')}
          />
          <Group>
            {refusal ? (
              <RefusedButton reason={refusal}>{text.saveName}</RefusedButton>
            ) : (
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                {text.saveName}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
