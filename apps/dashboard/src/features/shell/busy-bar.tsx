import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import classes from './busy-bar.module.css';

/** A thin line at the top while something is on its way for more than 300 ms, also where the old figures stay in sight. */
export function BusyBar() {
  const isFetching = useIsFetching() > 0;
  const isMoving = useRouterState({ select: state => state.status === 'pending' });
  return isFetching || isMoving ? <div className={classes.bar} data-busy aria-hidden="true" /> : null;
}
