import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { operatorText } from '../../strings/operator.ts';
import { formatDate } from '../../ui/format.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { accountQuery, useForgetAbuse } from './queries.ts';
import { ReasonField } from './reason-field.tsx';
import { closeAfter } from './use-close-report.ts';
import type { ReportKind } from './words.ts';

const text = operatorText.suspend;

/** What is to be suspended, and the report that says so, if there is one. */
export type SuspendSubject = {
  readonly what: 'code' | 'account';
  readonly id: string;
  readonly name: string;
  readonly report?: { readonly id: string; readonly kind: ReportKind | undefined };
};

export const openSuspend = (subject: SuspendSubject) =>
  modals.open({
    title: text.title[subject.what],
    children: <Suspend subject={subject} />,
    closeOnClickOutside: false,
  });

/** What happens, the reason for the owner, and the button that does it. */
function Suspend({ subject }: { readonly subject: SuspendSubject }) {
  const { what, id, name, report } = subject;
  const forget = useForgetAbuse();
  const [reason, setReason] = useState('');
  const [closes, setCloses] = useState(true);
  const [missing, setMissing] = useState(false);
  const suspend = useMutation({
    mutationFn: async () => {
      await call('createSuspension', { body: { id, reason: reason.trim() } });
      if (closes) await closeAfter(report?.id);
    },
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(text.done[what](name));
      await forget();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() !== '') suspend.mutate();
  }
  const refused = fieldErrors(suspend.error, ['reason']).reason;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {what === 'code' ? (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Sentence text={text.codeText} parts={{ name: <b>{name}</b> }} />
          </Text>
        ) : (
          <AccountAtStake id={id} name={name} />
        )}
        <ReasonField
          of={what}
          reported={report?.kind}
          value={reason}
          onChange={setReason}
          description={text.reasonHint}
          error={refused ?? (missing && reason.trim() === '' ? text.reasonMissing : undefined)}
          autoFocus
        />
        {report && (
          <Checkbox
            label={text.closeReport}
            checked={closes}
            onChange={event => setCloses(event.currentTarget.checked)}
          />
        )}
        {suspend.error && !refused ? <Problem error={suspend.error} title={text.failed} /> : null}
        <Group justify="flex-end" wrap="nowrap">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {operatorText.cancel}
          </Button>
          <Button type="submit" color="red.8" loading={suspend.isPending}>
            {text.action[what]}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Which account it is, and how much stops with it. */
function AccountAtStake({ id, name }: { readonly id: string; readonly name: string }) {
  const { data } = useQuery(accountQuery(id));
  return (
    <div>
      <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <Text size="sm" c="dimmed" className="figures">
        {data
          ? operatorText.account.planSince(data.account.plan, formatDate(data.account.created_at))
          : text.counting}
      </Text>
      <Text size="sm" mt="xs" className="figures">
        {data && text.liveCodes(data.live_codes)} {text.accountText}
      </Text>
    </div>
  );
}
