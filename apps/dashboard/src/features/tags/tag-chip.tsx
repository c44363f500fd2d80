import { Tooltip, VisuallyHidden } from '@mantine/core';
import type { Tag } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { useMode } from '../../api/mode.ts';
import { tagsText } from '../../strings/tags.ts';
import { tagsQuery } from './queries.ts';
import classes from './tag-chip.module.css';
import { colorVariable } from './tag-color.ts';
import { foldTag } from './tag-name.ts';

/** The colour of a tag as a dot; its name says the rest. */
export function TagDot({ color }: { readonly color: Tag['color'] }) {
  const style = { '--dot': colorVariable(color) } as CSSProperties;
  return <span className={classes.dot} style={style} aria-hidden />;
}

type ChipProps = { readonly name: string; readonly color: Tag['color'] };

export function TagChip({ name, color }: ChipProps) {
  return (
    <span className={classes.chip} title={name}>
      <TagDot color={color} />
      <span className={classes.name}>{name}</span>
    </span>
  );
}

type ListProps = {
  readonly tags: readonly string[];
  /** Whose tags they are, for screen readers. */
  readonly of: string;
  /** How many are shown; the others are counted. */
  readonly most?: number;
};

/** The tags of a code. Each leads to the codes that have it. */
export function TagList({ tags, of, most }: ListProps) {
  const colors = useTagColors();
  if (tags.length === 0) return null;
  const shown = tags.slice(0, most);
  const rest = tags.slice(shown.length);
  return (
    <ul
      className={`${classes.list} ${most === undefined ? '' : classes.oneLine}`}
      aria-label={tagsText.list(of)}
    >
      {shown.map(name => (
        <li key={name}>
          <Link to="/codes" search={{ tag: [name] }} className={classes.chip} title={name}>
            <TagDot color={colors(name)} />
            <span className={classes.name}>{name}</span>
          </Link>
        </li>
      ))}
      {rest.length > 0 && (
        <li>
          <Tooltip label={rest.join(', ')} multiline maw={280}>
            <span className={classes.more}>
              <span aria-hidden>{tagsText.more(rest.length)}</span>
              <VisuallyHidden>{rest.join(', ')}</VisuallyHidden>
            </span>
          </Tooltip>
        </li>
      )}
    </ul>
  );
}

/** The colour of a tag by its name; grey until the tags are loaded, and for those that do not exist yet. */
export function useTagColors(): (name: string) => Tag['color'] {
  const { data = [] } = useQuery(tagsQuery(useMode()));
  const colors = new Map(data.map(({ name, color }) => [foldTag(name), color]));
  return name => colors.get(foldTag(name)) ?? 'gray';
}
