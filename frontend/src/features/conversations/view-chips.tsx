import { inboxViews } from '@parley/contracts/inbox-summary'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { counted, formatCount } from '../../lib/format.ts'
import styles from './list-pane.module.css'
import { inboxSummaryOptions } from './summary.ts'

type View = (typeof inboxViews)[number]

const labels: Readonly<Record<View, string>> = {
  all: 'All',
  mine: 'Mine',
  unassigned: 'Unassigned',
  unread: 'Unread',
  open: 'Open',
  snoozed: 'Snoozed',
  closed: 'Closed',
}

/** The first of the views by state, which have a line of their own. */
const firstState: View = 'open'

/** The views of the list, each with how many conversations it has. */
export function ViewChips({ shown, onShow }: { shown: View; onShow: (view: View | undefined) => void }) {
  const counts = useQuery(inboxSummaryOptions()).data?.views
  return (
    <fieldset className={styles['chips']} aria-label="Show">
      {inboxViews.map((view) => {
        const count = counts?.[view]
        return (
          <Fragment key={view}>
            {view === firstState && <span className={styles['break']} />}
            <button
              type="button"
              className={styles['chip']}
              aria-pressed={shown === view}
              title={count === undefined ? undefined : counted(count, 'conversation')}
              onClick={() => onShow(view === 'all' ? undefined : view)}
            >
              {labels[view]}
              {count !== undefined && count > 0 && (
                <span aria-hidden="true" className={styles['count']}>
                  {formatCount(count)}
                </span>
              )}
            </button>
          </Fragment>
        )
      })}
    </fieldset>
  )
}
