import { Switch, Text } from '@mantine/core';
import { peopleText } from '../../strings/people.ts';
import { Panel } from '../../ui/panel.tsx';
import { useAccount } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { useUpdateAccount } from './use-update-account.ts';

const text = peopleText.general;

/** Whether editors may delete codes. Owners decide. */
export function EditorsDelete() {
  const { editors_delete } = useAccount();
  const refusal = useRefusal('account:own');
  const save = useUpdateAccount(editors_delete ? text.forbidden : text.allowed, text.ruleFailed);
  return (
    <Panel title={text.rules}>
      <Switch
        label={text.editorsDelete}
        description={text.editorsDeleteHint}
        checked={editors_delete}
        disabled={refusal !== undefined || save.isPending}
        onChange={event => save.mutate({ editors_delete: event.currentTarget.checked })}
      />
      {refusal && (
        <Text size="sm" c="dimmed">
          {refusal}
        </Text>
      )}
    </Panel>
  );
}
