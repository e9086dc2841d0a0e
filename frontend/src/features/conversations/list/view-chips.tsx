import { inboxViews } from '@parley/contracts/inbox/inbox-summary'
import { useQuery } from '@tanstack/react-query'
import { counted, formatCount } from '../../../lib/format.ts'
import { inboxSummaryOptions } from '../../../lib/inbox-summary.ts'
import styles from './list-pane.module.css'

type View = (typeof inboxViews)[number]

const labels: Readonly<Record<View, string>> = {
  all: 'All',
  mine: 'Mine',
  mentions: 'Mentions',
  unassigned: 'Unassigned',
  unread: 'Unread',
  open: 'Open',
  snoozed: 'Snoozed',
  closed: 'Closed',
}

/** The views of the list, each with how many conversations it has. */
export function ViewChips({ shown, onShow }: { shown: View; onShow: (view: View) => void }) {
  const counts = useQuery(inboxSummaryOptions()).data?.views
  return (
    <fieldset className={styles['chips']} aria-label="Show">
      {inboxViews.map((view) => {
        const count = counts?.[view]
        // A view that has never had a conversation is not missed.
        if (view === 'mentions' && !count && shown !== view) return null
        return (
          <button
            key={view}
            type="button"
            className={styles['chip']}
            aria-pressed={shown === view}
            title={count === undefined ? undefined : counted(count, 'conversation')}
            onClick={() => onShow(view)}
          >
            {labels[view]}
            {count !== undefined && count > 0 && (
              <span aria-hidden="true" className={styles['count']}>
                {formatCount(count)}
              </span>
            )}
          </button>
        )
      })}
    </fieldset>
  )
}
