import { ActionIcon, Button, Group, Menu, Paper, Text } from '@mantine/core';
import { maxSheetCodes } from '@signpost/contract/values.ts';
import {
  IconArchive,
  IconArchiveOff,
  IconLink,
  IconPlayerPause,
  IconPlayerPlay,
  IconPrinter,
  IconReplace,
  IconTags,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { organiseText } from '../../strings/organise.ts';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { notifyProblem } from '../../ui/problem.tsx';
import type { CodesFilters } from '../codes/codes-search.ts';
import { useRefusal, useRoleRefusal } from '../shell/use-refusal.ts';
import type { BulkAction } from './bulk-dialogs.tsx';
import { selectAll } from './select-all.ts';
import { mostSelected } from './selection.ts';
import classes from './selection-bar.module.css';
import type { SelectionState } from './use-selection.ts';

const BulkDialog = lazy(() => import('./bulk-dialogs.tsx').then(module => ({ default: module.BulkDialog })));

const text = organiseText.selection;
const icon = { size: 16, 'aria-hidden': true } as const;

/** Codes that are handed to the page for printing in its address. More go with the entry in the history. */
const mostInAddress = 200;

type Props = {
  readonly chosen: SelectionState;
  readonly filters: CodesFilters;
  /** How many codes match; the count may be capped. */
  readonly total: number;
  readonly isCapped: boolean;
};

/** Stays at the lower edge while codes are selected: how many, and what can be done with them. */
export function SelectionBar({ chosen, filters, total, isCapped }: Props) {
  const { selection, clear } = chosen;
  const [action, setAction] = useState<BulkAction | null>(null);
  const isRefused = useRefusal('qrcodes:write') !== undefined;
  const keepsFromDeleting = useRoleRefusal('qrcodes:delete') !== undefined;
  const navigate = useNavigate();
  const all = useSelectAll(chosen, filters);
  const hasMore = isCapped || total > selection.size;
  if (selection.size === 0 && action === null) return null;
  const open = (next: BulkAction) => () => setAction(next);
  const print = () => {
    const ids = [...selection.keys()];
    const isShort = ids.length <= mostInAddress;
    void navigate({ to: '/print', search: isShort ? { ids } : {}, state: isShort ? {} : { printed: ids } });
  };
  return (
    <>
      <Paper withBorder shadow="md" className={classes.bar} role="region" aria-label={text.label}>
        <Group gap="xs" wrap="nowrap" className={classes.count}>
          <ActionIcon variant="subtle" color="gray" onClick={clear} aria-label={text.clear}>
            <IconX {...icon} />
          </ActionIcon>
          <Text size="sm" fw={500} role="status" className="figures" style={{ whiteSpace: 'nowrap' }}>
            {all.done === null
              ? text.selected(selection.size)
              : text.allLoading(all.done, Math.min(total, mostSelected))}
          </Text>
          {hasMore && all.done === null && selection.size < mostSelected && (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={all.start}
              title={total > mostSelected || isCapped ? text.most(mostSelected) : ''}
            >
              {text.all(isCapped ? mostSelected : Math.min(total, mostSelected))}
            </Button>
          )}
        </Group>
        <Group gap="xs" wrap="nowrap">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTags {...icon} />}
            disabled={isRefused}
            onClick={open('tags')}
          >
            {text.tags}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlayerPause {...icon} />}
            disabled={isRefused}
            onClick={open('pause')}
          >
            {text.pause}
          </Button>
          <MoreMenu label={text.more} isFramed position="top-end">
            <Menu.Item
              leftSection={<IconPlayerPlay {...icon} />}
              disabled={isRefused}
              onClick={open('resume')}
            >
              {text.resume}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconLink {...icon} />}
              disabled={isRefused}
              onClick={open('destination')}
            >
              {text.destination}
            </Menu.Item>
            <Menu.Item leftSection={<IconReplace {...icon} />} disabled={isRefused} onClick={open('replace')}>
              {text.replace}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconPrinter {...icon} />}
              disabled={selection.size > maxSheetCodes}
              onClick={print}
            >
              {text.print}
              {selection.size > maxSheetCodes && (
                <Text size="xs" c="dimmed">
                  {text.mostPrinted(maxSheetCodes)}
                </Text>
              )}
            </Menu.Item>
            <Menu.Item
              leftSection={filters.archived ? <IconArchiveOff {...icon} /> : <IconArchive {...icon} />}
              disabled={isRefused}
              onClick={open(filters.archived ? 'unarchive' : 'archive')}
            >
              {filters.archived ? text.unarchive : text.archive}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))"
              leftSection={<IconTrash {...icon} />}
              disabled={keepsFromDeleting}
              onClick={open('delete')}
            >
              {text.delete}
            </Menu.Item>
          </MoreMenu>
        </Group>
      </Paper>
      <Suspense>
        {action && (
          <BulkDialog action={action} selection={selection} onDone={clear} onClose={() => setAction(null)} />
        )}
      </Suspense>
    </>
  );
}

/** Reads all codes that match into the selection; how many are read so far, null while nothing is. */
function useSelectAll(chosen: SelectionState, filters: CodesFilters) {
  const [done, setDone] = useState<number | null>(null);
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);
  const start = async () => {
    const { signal } = left.current;
    setDone(0);
    try {
      chosen.set(await selectAll(filters, setDone, signal));
    } catch (error) {
      if (!signal.aborted) notifyProblem(error, text.allFailed);
    }
    if (!signal.aborted) setDone(null);
  };
  return { done, start: () => void start() };
}
