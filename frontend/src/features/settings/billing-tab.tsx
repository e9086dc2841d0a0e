import type { Usage } from '@parley/contracts/usage/usage'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { usageOptions } from '../../lib/choices/usage.ts'
import { formatConstant, formatDay } from '../../lib/format.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Pill } from '../../ui/pill.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useKeepPlan, useMayChoose } from './billing-api.ts'
import { endText, priceText } from './billing-labels.ts'
import { CreditsCard } from './credits-card.tsx'
import { PeriodsDialog } from './periods-dialog.tsx'
import { PlansDialog } from './plans-dialog.tsx'
import { RateCardsCard } from './rate-cards/rate-cards-card.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { UsageCard } from './usage-card.tsx'
import type { ReportDirty } from './use-dirty.ts'

interface Plans {
  readonly plansOpen: boolean
  readonly onPlans: (open: boolean) => void
}

/** Billing; below it what WhatsApp itself charges. */
export function BillingTab({ plansOpen, onPlans, onDirty }: Plans & { readonly onDirty: ReportDirty }) {
  const { data: usage, isLoadingError, isFetching, refetch } = useQuery(usageOptions())
  return (
    <div className={styles['cards']}>
      {usage ? (
        <>
          <PlanCard usage={usage} onPlans={onPlans} />
          <UsageCard usage={usage} />
          <CreditsCard usage={usage} />
          <PlansDialog open={plansOpen} usage={usage} onClose={() => onPlans(false)} />
        </>
      ) : isLoadingError && !isFetching ? (
        <ErrorState
          title="Your plan could not be loaded"
          message="Check your connection and try again."
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonBlocks count={3} height="200px" className={styles['cards']} />
      )}
      <RateCardsCard onDirty={onDirty} />
    </div>
  )
}

function PlanCard({ usage, onPlans }: { usage: Usage; onPlans: Plans['onPlans'] }) {
  const { plan, price, next, ended, renews, to, limited, messages, sample } = usage
  const ownPlan = sample?.ownPlan
  const [periodsOpen, setPeriodsOpen] = useState(false)
  const mayChoose = useMayChoose(usage)
  return (
    <SettingsCard title="Billing">
      <dl className={styles['facts']}>
        <div>
          <dt>Current Plan</dt>
          <dd>
            {plan}
            <StatusBadge tone={ended ? 'neutral' : 'success'}>{ended ? 'Ended' : 'Active'}</StatusBadge>
            {ownPlan && <Pill colour="grey">Sample data</Pill>}
          </dd>
        </div>
        <div>
          <dt>Monthly Price</dt>
          <dd>{priceText(price)}</dd>
        </div>
        <div>
          <dt>Messages Quota</dt>
          <dd>{limited ? `${formatConstant(messages.limit)}/month` : 'No limit'}</dd>
        </div>
        <div>
          <dt>{renews ? 'Next Billing Date' : ended ? 'Ended On' : 'Ends On'}</dt>
          <dd>
            <time dateTime={to}>{formatDay(to)}</time>
          </dd>
        </div>
      </dl>
      {ownPlan && (
        <Alert
          type="info"
          showIcon
          role="note"
          title={
            <>
              <b>{plan}, its price and its quota are sample data.</b> This workspace is on the {ownPlan.name}, which{' '}
              {endText(ownPlan)}. It is shown here once the sample data is cleared.
            </>
          }
        />
      )}
      {next && (
        <Alert
          type="info"
          showIcon
          role="note"
          title={
            <>
              <b>
                {next.plan} starts on {formatDay(next.from)}.
              </b>{' '}
              Until then, {plan} stays in effect.
            </>
          }
        />
      )}
      <div className={styles['buttons']}>
        <Button type="primary" onClick={() => onPlans(true)}>
          Upgrade Plan
        </Button>
        {next && mayChoose && <KeepPlan plan={plan} />}
        <Button onClick={() => setPeriodsOpen(true)}>Manage Billing</Button>
      </div>
      <PeriodsDialog open={periodsOpen} price={price} onClose={() => setPeriodsOpen(false)} />
    </SettingsCard>
  )
}

/** Takes back that a smaller plan was chosen. */
function KeepPlan({ plan }: { plan: string }) {
  const keep = useKeepPlan()
  return (
    <Button loading={keep.isPending} onClick={() => keep.mutate()}>
      Keep {plan}
    </Button>
  )
}
