import { Stack, Text, Timeline } from '@mantine/core';
import type { Edit, QrCode } from '@signpost/contract';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { RulesEdit } from '../rules/rules-edit.tsx';
import { describeEdit, isRestorable } from './edits.ts';
import { codeQuery, historyQuery } from './queries.ts';
import { RestoreButton } from './restore-button.tsx';

const route = getRouteApi('/inside/codes/$id/history');
const text = codesText.history;
const anywhere = { overflowWrap: 'anywhere' } as const;

/** Who changed what, when, from what to what; a destination and rules can be restored. */
export function CodeHistory() {
  const { id } = route.useParams();
  const mode = useMode();
  const { data: code } = useSuspenseQuery(codeQuery(mode, id));
  const query = useQuery(historyQuery(mode, id));
  return (
    <Panel title={text.title}>
      <QueryView query={query}>
        {({ data, pagination }) => (
          <Stack>
            <Timeline bulletSize={14} lineWidth={2} active={data.length}>
              {data.map(edit => (
                <Timeline.Item
                  key={edit.id}
                  title={
                    <Text size="sm" fw={500}>
                      {describeEdit(edit)}
                    </Text>
                  }
                >
                  <EditBody edit={edit} code={code} />
                </Timeline.Item>
              ))}
            </Timeline>
            {pagination.total > data.length && (
              <Text size="sm" c="dimmed">
                {text.older(data.length)}
              </Text>
            )}
          </Stack>
        )}
      </QueryView>
    </Panel>
  );
}

function EditBody({ edit, code }: { readonly edit: Edit; readonly code: QrCode }) {
  const isPlain = edit.field === 'name' || edit.field === 'destination_url';
  return (
    <Stack gap={4} mt={4} align="flex-start">
      {isPlain && (
        <>
          <Value label={text.from} value={edit.from ?? ''} />
          <Value label={text.to} value={edit.to ?? ''} />
        </>
      )}
      {isRestorable(edit, code.destination_url) && (
        <RestoreButton
          code={code}
          change={{ destination_url: edit.from! }}
          words={text}
          label={text.restoreThis(edit.from!)}
        >
          <Text size="sm" style={anywhere}>
            <Sentence
              text={text.restoreBody}
              parts={{ earlier: <b>{edit.from}</b>, current: code.destination_url }}
            />
          </Text>
        </RestoreButton>
      )}
      {edit.field === 'rules' && <RulesEdit edit={edit} code={code} />}
      <Text size="xs" c="dimmed">
        {text.by(edit.by.name, formatDateTime(edit.at))}
      </Text>
    </Stack>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Text size="sm" style={anywhere}>
      <Text span inherit c="dimmed">
        {label}
      </Text>{' '}
      {value}
    </Text>
  );
}
