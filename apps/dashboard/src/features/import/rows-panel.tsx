import { Alert, Box, Button, Group, Pagination, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { importText } from '../../strings/import.ts';
import type { Field } from './columns.ts';
import { countOf, isFaulty } from './faults.ts';
import { RowLine } from './row-line.tsx';
import classes from './rows-panel.module.css';
import type { CheckedRow } from './use-import.ts';

type Props = {
  readonly checked: readonly CheckedRow[];
  readonly brokenQuotes: boolean;
  readonly locked: boolean;
  readonly onEdit: (number: number, field: Field, value: string) => void;
  readonly onRemove: (number: number) => void;
};

const rowsPerPage = 50;
const words = importText.rows;

/** The rows, a page at a time, so that ten thousand are as quick as ten. */
export function RowsPanel({ checked, brokenQuotes, locked, onEdit, onRemove }: Props) {
  const [page, setPage] = useState(1);
  const [only, setOnly] = useState<ReadonlySet<number> | null>(null);
  const problems = useMemo(() => checked.reduce((sum, { faults }) => sum + countOf(faults), 0), [checked]);
  // A row that was mended stays in sight until the choice is made again: it must not vanish under the hand.
  const shown = useMemo(
    () => (only ? checked.filter(({ row, faults }) => only.has(row.number) || isFaulty(faults)) : checked),
    [checked, only],
  );
  const pages = Math.max(1, Math.ceil(shown.length / rowsPerPage));
  const current = Math.min(page, pages);
  const showOnly = (isOnly: boolean) => {
    setPage(1);
    setOnly(
      isOnly ? new Set(checked.filter(({ faults }) => isFaulty(faults)).map(({ row }) => row.number)) : null,
    );
  };
  return (
    <Paper component="section" withBorder aria-label={words.title} className={classes.panel}>
      <Group justify="space-between" p={{ base: 'md', sm: 'lg' }} pb="sm" gap="sm">
        <Box>
          <Title order={2}>{words.count(checked.length)}</Title>
          <Text size="sm" role="status" c={problems > 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
            {problems > 0 ? words.toFix(problems) : words.allGood}
          </Text>
        </Box>
        {(problems > 0 || only) && (
          <Switch
            label={words.onlyFaulty}
            checked={only !== null}
            onChange={event => showOnly(event.currentTarget.checked)}
          />
        )}
      </Group>
      {brokenQuotes && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} mx={{ base: 'md', sm: 'lg' }} mb="sm">
          {words.brokenQuotes}
        </Alert>
      )}
      {shown.length === 0 ? (
        <Stack align="center" p="lg" gap="sm">
          <Text c="dimmed">{words.allMended}</Text>
          <Button variant="default" size="xs" onClick={() => showOnly(false)}>
            {words.showAll}
          </Button>
        </Stack>
      ) : (
        <table className={classes.table} aria-label={words.title}>
          <thead>
            <tr>
              <th scope="col" className={classes.number}>
                {words.number}
              </th>
              <th scope="col" className={classes.name}>
                {words.name}
              </th>
              <th scope="col" className={classes.destination}>
                {words.destination}
              </th>
              <th scope="col" className={classes.ending}>
                {words.ending}
              </th>
              <th scope="col" className={classes.action}>
                <span className={classes.hidden}>{words.remove}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.slice((current - 1) * rowsPerPage, current * rowsPerPage).map(({ row, faults }) => (
              <RowLine
                key={row.number}
                row={row}
                faults={faults}
                locked={locked}
                onEdit={onEdit}
                onRemove={onRemove}
              />
            ))}
          </tbody>
        </table>
      )}
      {pages > 1 && (
        <Group justify="center" p="md">
          <Pagination
            total={pages}
            value={current}
            onChange={setPage}
            size="sm"
            getItemProps={item => ({ 'aria-label': words.page(item) })}
            getControlProps={control => ({ 'aria-label': words.pageControl(control) })}
          />
        </Group>
      )}
    </Paper>
  );
}
