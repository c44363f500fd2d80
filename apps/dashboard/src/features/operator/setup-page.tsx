import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { SetupCheck, SetupFinding } from '@signpost/contract';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { operatorText } from '../../strings/operator.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Entries, Entry } from './entries.tsx';
import { setupQuery } from './queries.ts';
import classes from './setup-page.module.css';
import { bySeverity, partsOf, sentenceOf, summaryOf } from './setup-words.ts';

const text = operatorText.setup;

/** What `signpost doctor` says about this installation. */
export function SetupPage() {
  const query = useQuery(setupQuery);
  return (
    <Page
      title={text.title}
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={query.isFetching}
          onClick={() => void query.refetch()}
        >
          {text.again}
        </Button>
      }
    >
      {query.isLoading && (
        <Text size="sm" c="dimmed" role="status">
          {text.running}
        </Text>
      )}
      <QueryView query={query} lines={6} height={56}>
        {check => <Findings check={check} isOld={query.isFetching} />}
      </QueryView>
    </Page>
  );
}

type FindingsProps = { readonly check: SetupCheck; readonly isOld: boolean };

/** While the check runs again, what it found before is dimmed. */
function Findings({ check, isOld }: FindingsProps) {
  return (
    <Stack gap="sm" style={isOld ? { opacity: 0.6 } : {}} aria-busy={isOld}>
      <Group gap="xs" role="status">
        <Text fw={500}>{summaryOf(check.findings)}</Text>
        <Text size="sm" c="dimmed">
          <TimeAgo value={check.checked_at} />
        </Text>
      </Group>
      <Entries label={text.list}>
        {bySeverity(check.findings).map((finding, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one check may have several findings, without an id.
          <Entry key={`${finding.check} ${at}`}>
            <Found finding={finding} />
          </Entry>
        ))}
      </Entries>
    </Stack>
  );
}

const looks = {
  ok: { icon: IconCircleCheck, color: 'signpost' },
  warning: { icon: IconAlertTriangle, color: 'orange' },
  problem: { icon: IconCircleX, color: 'red' },
} as const;

function Found({ finding }: { readonly finding: SetupFinding }) {
  const { icon: Icon, color } = looks[finding.state];
  const isOk = finding.state === 'ok';
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <Icon
        size={20}
        stroke={1.7}
        aria-hidden
        color={`var(--mantine-color-${color}-filled)`}
        style={{ flex: 'none', marginTop: 1 }}
      />
      <div className={isOk ? classes.line : classes.block}>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {text.checks[finding.check] ?? finding.check}
          </Text>
          {!isOk && (
            <Badge color={color} variant="light" tt="none" fw={500} miw="fit-content">
              {text.states[finding.state]}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {sentenceOf(finding.found)}
        </Text>
        {finding.next && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {partsOf(finding.next).map(({ text: part, isCode }) =>
              isCode ? <Code key={part}>{part}</Code> : part,
            )}
          </Text>
        )}
      </div>
    </Group>
  );
}
