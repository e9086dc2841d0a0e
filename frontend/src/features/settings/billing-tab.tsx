import type { Settings } from '@parley/contracts/settings'
import { Button } from 'antd'
import { formatConstant, formatPercent } from '../../lib/format.ts'
import { Meter } from '../../ui/meter.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { billingDate, priceText } from './billing-words.ts'
import { CreditsCard } from './credits-card.tsx'
import { useNotChanged } from './not-changed.tsx'
import { PlansDialog } from './plans-dialog.tsx'
import { RateCardsCard } from './rate-cards/rate-cards-card.tsx'
import styles from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import type { ReportDirty } from './use-dirty.ts'

/** Specification section 2, Settings: Billing; below it what WhatsApp itself charges. */
export function BillingTab({
  settings: { billing },
  timeZone,
  plansOpen,
  onPlans,
  onDirty,
}: {
  settings: Settings
  timeZone: string
  plansOpen: boolean
  onPlans: (open: boolean) => void
  onDirty: ReportDirty
}) {
  const { plan, active, monthlyPrice, messagesQuota, messagesSent, nextBillingAt } = billing
  const { explain, notice } = useNotChanged()
  const quota = formatConstant(messagesQuota)
  const sent = `${formatConstant(messagesSent)} of ${quota} sent`
  const remaining = formatConstant(Math.max(0, messagesQuota - messagesSent))
  const manage = () =>
    explain({
      short: 'Nothing was opened or charged.',
      why: 'This plan is sample data, so there are no invoices and no payment card.',
    })
  return (
    <div className={styles['cards']}>
      <SettingsCard title="Billing">
        <dl className={styles['facts']}>
          <div>
            <dt>Current Plan</dt>
            <dd>
              {plan}
              <StatusBadge tone={active ? 'success' : 'neutral'}>{active ? 'Active' : 'Ended'}</StatusBadge>
            </dd>
          </div>
          <div>
            <dt>Monthly Price</dt>
            <dd>{priceText(monthlyPrice)}</dd>
          </div>
          <div>
            <dt>Messages Quota</dt>
            <dd>{quota}/month</dd>
          </div>
          <div>
            <dt>Next Billing Date</dt>
            <dd>
              <time dateTime={nextBillingAt}>{billingDate(nextBillingAt, timeZone)}</time>
            </dd>
          </div>
        </dl>
        {notice}
        <div className={styles['buttons']}>
          <Button type="primary" onClick={() => onPlans(true)}>
            Upgrade Plan
          </Button>
          <Button onClick={manage}>Manage Billing</Button>
        </div>
      </SettingsCard>
      <SettingsCard title="Usage This Month">
        <div className={styles['usage']}>
          <p className={styles['usageWords']}>
            <b>{sent}</b>
            <span>{formatPercent(messagesQuota === 0 ? 0 : (messagesSent / messagesQuota) * 100)}</span>
          </p>
          <Meter
            label="Usage This Month"
            value={messagesSent}
            max={messagesQuota}
            text={`${sent}, ${remaining} remaining`}
          />
          <p className={styles['quiet']}>{remaining} remaining</p>
        </div>
      </SettingsCard>
      <CreditsCard />
      <RateCardsCard onDirty={onDirty} />
      <PlansDialog open={plansOpen} billing={billing} onClose={() => onPlans(false)} />
    </div>
  )
}
