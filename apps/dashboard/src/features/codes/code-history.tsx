import { Button, Group, Stack, Text, Timeline } from '@mantine/core';
import type { Edit, QrCode } from '@signpost/contract';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { describeEdit, isUndoable } from './edits.ts';
import { codeQuery, historyQuery } from './queries.ts';
import { useUpdateCode } from './use-update-code.ts';

const route = getRouteApi('/inside/codes/$id/history');

/** Who changed what, when, from what to what; a destination can be taken back. */
export function CodeHistory() {
  const { id } = route.useParams();
  const mode = useMode();
  const { data: code } = useSuspenseQuery(codeQuery(mode, id));
  const query = useQuery(historyQuery(mode, id));
  return (
    <Panel title="History" description="Every change of this code, newest first.">
      <QueryView query={query}>
        {({ data, pagination }) => (
          <Stack>
            <Timeline bulletSize={14} lineWidth={2} active={data.length}>
              {data.map(edit => (
                <Timeline.Item key={edit.id} title={describeEdit(edit)}>
                  <EditBody edit={edit} code={code} />
                </Timeline.Item>
              ))}
            </Timeline>
            {pagination.total > data.length && (
              <Text size="sm" c="dimmed">
                Older changes are kept, but only the newest {data.length} are shown here.
              </Text>
            )}
          </Stack>
        )}
      </QueryView>
    </Panel>
  );
}

function EditBody({ edit, code }: { readonly edit: Edit; readonly code: QrCode }) {
  const update = useUpdateCode(code.id);
  return (
    <Stack gap={6} mt={4}>
      {edit.field !== 'created' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span c="dimmed">
            from
          </Text>{' '}
          {edit.from}{' '}
          <Text span c="dimmed">
            to
          </Text>{' '}
          {edit.to}
        </Text>
      )}
      <Group gap="sm">
        <Text size="xs" c="dimmed">
          {edit.by.name}, {formatDateTime(edit.at)}
        </Text>
        {isUndoable(edit, code.destination_url) && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconArrowBackUp size={14} aria-hidden />}
            loading={update.isPending}
            onClick={() => update.mutate({ destination_url: edit.from! })}
            aria-label={`Undo, lead to ${edit.from} again`}
          >
            Undo
          </Button>
        )}
      </Group>
    </Stack>
  );
}
