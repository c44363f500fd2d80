import { Button, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import type { BrowseList } from '@signpost/contract';
import { maxSheetCodes } from '@signpost/contract/values.ts';
import { printText } from '../../strings/print.ts';
import { LabelledChoice } from '../../ui/labelled-choice.tsx';
import { Pager } from '../../ui/pager.tsx';
import { PictureOf } from '../codes/code-cells.tsx';
import { CodesFilter } from '../codes/codes-filter.tsx';
import { parseCodesSearch } from '../codes/codes-search.ts';
import { shownLink } from '../domains/short-base.ts';
import { useMe } from '../shell/me.ts';
import { codesFault, type PrintJob } from './print-job.ts';
import classes from './print-page.module.css';

type Props = {
  readonly job: PrintJob;
  readonly onChange: (part: Partial<PrintJob>) => void;
  /** The codes that the search finds, one page of them. */
  readonly found: BrowseList | undefined;
};

const text = printText.codes;

/** Which codes: all that a search finds, or some of them, one by one. */
export function CodePicker({ job, onChange, found }: Props) {
  const total = found?.pagination.total;
  const fault = codesFault(job, total);
  const said =
    job.which === 'chosen' ? text.chosen(job.chosen.length) : total === undefined ? '' : text.match(total);
  return (
    <Stack gap="md">
      <LabelledChoice
        label={text.which}
        names={text.whiches}
        value={job.which}
        // The preview of all that match begins at the first of them.
        onChange={which => onChange({ which, search: parseCodesSearch({ ...job.search, page: 1 }) })}
      />
      <CodesFilter search={job.search} onChange={search => onChange({ search })} withOrder={false} />
      {job.which === 'chosen' && found && <Choices job={job} onChange={onChange} found={found} />}
      <Group gap="sm" justify="space-between">
        <Text
          size="sm"
          role="status"
          className="figures"
          {...(fault ? { c: 'var(--mantine-color-error)' } : {})}
        >
          {fault ?? said}
        </Text>
        {job.which === 'chosen' && job.chosen.length > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => onChange({ chosen: [] })}>
            {text.clear}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function Choices({ job, onChange, found }: Props & { readonly found: BrowseList }) {
  const { service } = useMe();
  const { data, pagination } = found;
  const chosen = new Set(job.chosen);
  const onPage = data.filter(({ id }) => chosen.has(id)).length;
  const choose = (ids: readonly string[], isChosen: boolean) => {
    const others = job.chosen.filter(id => !ids.includes(id));
    onChange({ chosen: (isChosen ? [...others, ...ids] : others).slice(0, maxSheetCodes) });
  };
  if (data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {text.none}
      </Text>
    );
  return (
    <>
      <Paper withBorder className={classes.choices}>
        <Checkbox
          label={text.all}
          checked={onPage === data.length}
          indeterminate={onPage > 0 && onPage < data.length}
          onChange={event =>
            choose(
              data.map(({ id }) => id),
              event.currentTarget.checked,
            )
          }
          className={classes.all}
        />
        <ul className={classes.list} aria-label={text.list}>
          {data.map(code => (
            <li key={code.id} className={classes.choice}>
              <Checkbox
                aria-label={text.choose(code.name)}
                checked={chosen.has(code.id)}
                onChange={event => choose([code.id], event.currentTarget.checked)}
                id={`choose-${code.id}`}
              />
              <PictureOf code={code} />
              <label htmlFor={`choose-${code.id}`} className={classes.name}>
                <Text size="sm" fw={500} truncate="end">
                  {code.name}
                </Text>
                <Text size="xs" c="dimmed" ff="monospace" truncate="end" title={code.short_url}>
                  {shownLink(code.short_url, service.short_base_url)}
                </Text>
              </label>
            </li>
          ))}
        </ul>
      </Paper>
      <Group justify="center">
        <Pager
          pages={pagination}
          what={text.pages}
          onChange={page => onChange({ search: { ...job.search, page } })}
        />
      </Group>
    </>
  );
}
