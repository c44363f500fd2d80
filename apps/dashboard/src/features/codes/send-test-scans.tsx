import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { devices, maxTestScans } from '@signpost/contract/values.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { codesText } from '../../strings/codes.ts';
import { rulesText } from '../../strings/rules.ts';
import { sandboxText as text } from '../../strings/sandbox.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import type { CodeFacts } from './code-facts.ts';
import { useForgetCodes } from './queries.ts';

type Props = { readonly code: Pick<CodeFacts, 'id' | 'name'> };

export const openSendTestScans = (props: Props) =>
  modals.open({ title: text.title, children: <SendTestScans {...props} /> });

type Device = (typeof devices)[number];

/** Scans without a phone, in test mode. */
function SendTestScans({ code }: Props) {
  const [count, setCount] = useState<number | string>(10);
  const [visitors, setVisitors] = useState<number | string>('');
  const [device, setDevice] = useState<Device>('ios');
  const forget = useForgetCodes();
  const send = useMutation({
    mutationFn: () =>
      call('sendTestScans', {
        body: {
          qr_id: code.id,
          count: Number(count),
          device,
          ...(visitors === '' ? {} : { unique: Number(visitors) }),
        },
      }),
    onSuccess: async ({ scans }) => {
      modals.closeAll();
      notifyDone(text.sent(scans, code.name));
      await forget();
    },
  });
  const isComplete = count !== '' && Number(visitors) <= Number(count);
  const amount = { min: 1, max: maxTestScans, allowDecimal: false, clampBehavior: 'strict' } as const;
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        if (isComplete) send.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{text.what}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput label={text.count} value={count} onChange={setCount} data-autofocus {...amount} />
          <NumberInput
            label={text.visitors}
            placeholder={String(count)}
            value={visitors}
            onChange={setVisitors}
            error={isComplete || count === '' ? undefined : text.tooManyVisitors}
            {...amount}
          />
        </SimpleGrid>
        <Select
          label={text.device}
          data={devices.map(value => ({ value, label: rulesText.devices[value] }))}
          value={device}
          allowDeselect={false}
          onChange={value => value && setDevice(value as Device)}
        />
        {send.error ? <Problem error={send.error} title={text.failed} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {codesText.cancel}
          </Button>
          <Button type="submit" loading={send.isPending} disabled={!isComplete}>
            {text.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
