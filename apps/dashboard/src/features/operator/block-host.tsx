import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { hostReachQuery, useForgetAbuse } from './queries.ts';
import { ReasonField } from './reason-field.tsx';
import { closeAfter } from './use-close-report.ts';
import { hostIn, type ReportKind, reachInWords } from './words.ts';

type Start = {
  readonly host?: string;
  readonly report?: { readonly id: string; readonly kind: ReportKind | undefined };
};

export const openBlockHost = (start: Start = {}) =>
  modals.open({
    title: 'Block a host',
    children: <BlockHost {...start} />,
    closeOnClickOutside: false,
  });

/** How much would stop. It is known before anything is blocked, unless the server cannot say. */
function useReach(host: string) {
  const [asked] = useDebouncedValue(host, 300);
  const query = useQuery({ ...hostReachQuery(asked), enabled: asked.includes('.') });
  const isKnown = asked === host && !query.isFetching;
  return { reach: asked === host ? query.data : undefined, isKnown };
}

function BlockHost({ host: first = '', report }: Start) {
  const forget = useForgetAbuse();
  const [typed, setTyped] = useState(first);
  const [again, setAgain] = useState('');
  const [reason, setReason] = useState('');
  const [closes, setCloses] = useState(true);
  const [missing, setMissing] = useState(false);
  const host = hostIn(typed);
  const { reach, isKnown } = useReach(host);
  const asksAgain = reach !== undefined && reach.accounts > 1;
  const isSure = !asksAgain || hostIn(again) === host;
  const block = useMutation({
    mutationFn: async () => {
      const text = reason.trim();
      const blocked = await call('blockHost', { body: { host, ...(text ? { reason: text } : {}) } });
      if (closes) await closeAfter(report?.id);
      return blocked;
    },
    onSuccess: async blocked => {
      modals.closeAll();
      notifyDone(`${blocked.host} is blocked. No code sends anybody there any more.`);
      await forget();
    },
  });
  const refused = fieldErrors(block.error, ['host', 'reason']);
  function submit(event: FormEvent) {
    event.preventDefault();
    setMissing(true);
    if (host !== '' && isSure) block.mutate();
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Host"
          placeholder="evil.example"
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          error={refused.host ?? (missing && host === '' ? 'Say which host' : undefined)}
          autoCapitalize="none"
          spellCheck={false}
          {...(first ? {} : { 'data-autofocus': true })}
        />
        <ReasonField
          of="code"
          reported={report?.kind}
          value={reason}
          onChange={setReason}
          description="Optional. Owners of codes that lead there read it."
          error={refused.reason}
          autoFocus={first !== ''}
        />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Every code that leads to <b>{host || 'this host'}</b> or to one of its subdomains stops at once, and
          no code can be pointed there. If many people share the host, suspend the code or its account
          instead.
        </Text>
        <Text size="sm" fw={600} role="status" className="figures">
          {reach && reachInWords(reach)}
        </Text>
        {asksAgain && (
          <TextInput
            label={`Type ${host} to confirm`}
            description="Several accounts are affected."
            value={again}
            onChange={event => setAgain(event.currentTarget.value)}
            error={missing && !isSure ? 'This is not the host above' : undefined}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {report && (
          <Checkbox
            label="Close the report too"
            checked={closes}
            onChange={event => setCloses(event.currentTarget.checked)}
          />
        )}
        {block.error && !refused.host && !refused.reason ? (
          <Problem error={block.error} title="The host was not blocked" />
        ) : null}
        <Group justify="flex-end" wrap="nowrap">
          <Button variant="default" onClick={() => modals.closeAll()}>
            Cancel
          </Button>
          <Button type="submit" color="red.8" loading={block.isPending || !isKnown}>
            Block host
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
