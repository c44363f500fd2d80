import { NavLink, type NavLinkProps } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createLink, useLocation } from '@tanstack/react-router';
import { forwardRef } from 'react';
import { useMode } from '../../api/mode.ts';
import { viewsText } from '../../strings/views.ts';
import { parseCodesSearch } from '../codes/codes-search.ts';
import { viewsQuery } from './queries.ts';
import classes from './saved-views.module.css';
import { queryOf, searchOfView } from './view-query.ts';

const ViewLink = createLink(
  forwardRef<HTMLAnchorElement, NavLinkProps & { readonly title?: string }>((props, ref) => (
    <NavLink component="a" ref={ref} {...props} />
  )),
);

/** The views of the person, below the codes in the navigation. Nothing where there are none. */
export function SavedViews({ onChoice }: { readonly onChoice: () => void }) {
  const { data: views = [] } = useQuery(viewsQuery(useMode()));
  const { pathname, search } = useLocation();
  if (views.length === 0) return null;
  const current = pathname === '/codes' ? queryOf(parseCodesSearch(search)) : null;
  return (
    <ul className={classes.list} aria-label={viewsText.title}>
      {views.map(view => (
        <li key={view.id}>
          <ViewLink
            to="/codes"
            search={searchOfView(view.query)}
            label={view.name}
            title={view.name}
            noWrap
            className={classes.entry}
            leftSection={<IconBookmark size={15} stroke={1.7} aria-hidden />}
            onClick={onChoice}
            active={view.query === current}
            aria-current={view.query === current ? 'page' : undefined}
          />
        </li>
      ))}
    </ul>
  );
}
