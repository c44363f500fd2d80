import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/operations.ts';
import { operatorText } from '../../strings/operator.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { codesOfPlan } from './plan-words.ts';
import { plansQuery } from './queries.ts';

const text = operatorText.plan;

type Subject = { readonly id: string; readonly name: string; readonly plan: string };

export const openChangePlan = (account: Subject) =>
  modals.open({
    title: text.dialogTitle(account.name),
    children: <ChangePlan account={account} />,
    closeOnClickOutside: false,
  });

function ChangePlan({ account }: { readonly account: Subject }) {
  const client = useQueryClient();
  const query = useQuery(plansQuery);
  const [plan, setPlan] = useState(account.plan);
  const change = useMutation({
    mutationFn: () => call('setAccountPlan', { params: { id: account.id }, body: { plan } }),
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(text.changed(account.name, plan));
      await client.invalidateQueries({ queryKey: ['operator'] });
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    change.mutate();
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{text.text}</Text>
        <QueryView query={query}>
          {({ data }) => (
            <Radio.Group label={text.choose} value={plan} onChange={setPlan}>
              <Stack gap="xs" mt="xs">
                {data.map(one => (
                  <Radio key={one.name} value={one.name} label={one.name} description={codesOfPlan(one)} />
                ))}
              </Stack>
            </Radio.Group>
          )}
        </QueryView>
        {change.error ? <Problem error={change.error} title={text.failed} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {operatorText.cancel}
          </Button>
          <Button type="submit" loading={change.isPending} disabled={plan === account.plan}>
            {text.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
