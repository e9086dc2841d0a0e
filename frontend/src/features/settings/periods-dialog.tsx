import type { Money } from '@parley/contracts/core/records'
import { dateAfter } from '@parley/contracts/core/zoned-time'
import { billingApi } from '@parley/contracts/usage/usage'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { call } from '../../lib/api.ts'
import { formatConstant, formatDay } from '../../lib/format.ts'
import { usageKeys } from '../../lib/query-keys.ts'
import { InfoDialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import table from '../../ui/table.module.css'
import { priceText } from './billing-labels.ts'
import styles from './settings.module.css'

const entriesOf = ({ from, to }: { from: string; to: string }): string =>
  `${billingApi.entries.path}?${new URLSearchParams({ from, to })}`

/** Usage and price of each period, with its entries as a file. */
export function PeriodsDialog({ open, price, onClose }: { open: boolean; price: Money; onClose: () => void }) {
  const { data, isLoadingError, isFetching, refetch } = useQuery({
    queryKey: usageKeys.periods,
    queryFn: async ({ signal }) => (await call(billingApi.periods, { signal })).items,
    enabled: open,
  })
  return (
    <InfoDialog open={open} width={640} title="Billing Periods" onClose={onClose}>
      <div className={styles['periods']}>
        <Alert
          type="info"
          role="note"
          title={`Your plan is ${priceText(price)}. Parley takes no payments here, so there are no invoices and there is no payment card.`}
        />
        {data ? (
          <div className={table['frame']}>
            <table className={table['table']}>
              <thead>
                <tr>
                  <th>Period</th>
                  <th>Messages</th>
                  <th>Credits</th>
                </tr>
              </thead>
              <tbody>
                {data.map(({ from, to, messages, credits, plan }, index) => (
                  <tr key={from}>
                    <td>
                      {formatDay(from)} – {index === 0 ? 'now' : formatDay(dateAfter(to, -1))}
                      <p className={styles['requestFacts']}>
                        {plan ? `${plan.name}, ${priceText(plan.price)}` : 'Plan not recorded'}
                        {' · '}
                        <a
                          href={entriesOf({ from, to })}
                          download
                          aria-label={`Entries from ${formatDay(from)} as CSV`}
                        >
                          Entries (CSV)
                        </a>
                      </p>
                    </td>
                    <td>{formatConstant(messages)}</td>
                    <td>{formatConstant(credits)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : isLoadingError && !isFetching ? (
          <ErrorState message="The periods could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <SkeletonBar height="140px" />
        )}
      </div>
    </InfoDialog>
  )
}
