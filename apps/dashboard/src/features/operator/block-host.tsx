import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { operatorText } from '../../strings/operator.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { hostReachQuery, useForgetAbuse } from './queries.ts';
import { ReasonField } from './reason-field.tsx';
import { closeAfter } from './use-close-report.ts';
import { hostIn, type ReportKind, reachInWords } from './words.ts';

const text = operatorText.hosts;

type Start = {
  readonly host?: string;
  readonly report?: { readonly id: string; readonly kind: ReportKind | undefined };
};

export const openBlockHost = (start: Start = {}) =>
  modals.open({
    title: text.block,
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
      const given = reason.trim();
      const blocked = await call('blockHost', { body: { host, ...(given ? { reason: given } : {}) } });
      if (closes) await closeAfter(report?.id);
      return blocked;
    },
    onSuccess: async blocked => {
      modals.closeAll();
      notifyDone(text.blocked(blocked.host));
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
          label={text.host}
          placeholder={text.hostPlaceholder}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          error={refused.host ?? (missing && host === '' ? text.hostMissing : undefined)}
          autoCapitalize="none"
          spellCheck={false}
          {...(first ? {} : { 'data-autofocus': true })}
        />
        <ReasonField
          of="code"
          reported={report?.kind}
          value={reason}
          onChange={setReason}
          description={text.reasonHint}
          error={refused.reason}
          autoFocus={first !== ''}
        />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Sentence text={text.blockText} parts={{ host: <b>{host || text.thisHost}</b> }} />
        </Text>
        <Text size="sm" fw={500} role="status" className="figures">
          {reach && reachInWords(reach).join(' ')}
        </Text>
        {asksAgain && (
          <TextInput
            label={text.confirm(host)}
            description={text.confirmHint}
            value={again}
            onChange={event => setAgain(event.currentTarget.value)}
            error={missing && !isSure ? text.confirmWrong : undefined}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {report && (
          <Checkbox
            label={operatorText.suspend.closeReport}
            checked={closes}
            onChange={event => setCloses(event.currentTarget.checked)}
          />
        )}
        {block.error && !refused.host && !refused.reason ? (
          <Problem error={block.error} title={text.blockFailed} />
        ) : null}
        <Group justify="flex-end" wrap="nowrap">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {operatorText.cancel}
          </Button>
          <Button type="submit" color="red.8" loading={block.isPending || !isKnown}>
            {text.blockAction}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
