import { mostPopularPlan, type Plan, plans } from '@parley/contracts/plans'
import type { Settings } from '@parley/contracts/settings'
import { Alert } from 'antd'
import { formatConstant } from '../../lib/format.ts'
import { InfoDialog } from '../../ui/dialog.tsx'
import { Pill } from '../../ui/pill.tsx'
import { priceText } from './billing-words.ts'
import styles from './settings.module.css'

/** The price list (specification section 9). Without a server nothing can be ordered, which it says first (readings 17). */
export function PlansDialog({
  open,
  billing: { plan, monthlyPrice },
  onClose,
}: Pick<Settings, 'billing'> & { open: boolean; onClose: () => void }) {
  return (
    <InfoDialog open={open} width={880} title="Plans" onClose={onClose}>
      <Alert
        type="info"
        role="note"
        title={
          <>
            <b>Nothing was changed.</b> This workspace is on {plan} at {priceText(monthlyPrice)}, which is sample data,
            so no plan can be ordered and nothing is charged. These are Parley's plans and prices.
          </>
        }
      />
      <ul className={styles['plans']}>
        {plans.map((entry) => (
          <PlanCard key={entry.id} plan={entry} />
        ))}
      </ul>
    </InfoDialog>
  )
}

function PlanCard({ plan }: { plan: Plan }) {
  const rupees = `₹${formatConstant(plan.priceMinor / 100)}`
  return (
    <li className={styles['plan']}>
      <h3>
        {plan.name}
        {plan.id === mostPopularPlan && <Pill colour="green">Most popular</Pill>}
      </h3>
      <p className={styles['price']}>
        <b>{rupees}</b> {plan.trialDays ? `for ${plan.trialDays} days` : 'per month'}
      </p>
      <ul>
        <li>{formatConstant(plan.messages)} messages</li>
        <li>{plan.numbers === 1 ? '1 number' : `${plan.numbers} numbers`}</li>
        <li>{plan.teamMembers} team members</li>
        {plan.extras.map((extra) => (
          <li key={extra}>{extra}</li>
        ))}
      </ul>
    </li>
  )
}
