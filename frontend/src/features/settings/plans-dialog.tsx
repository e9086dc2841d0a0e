import { mostPopularPlan, type Plan, plans } from '@parley/contracts/usage/plans'
import type { Usage } from '@parley/contracts/usage/usage'
import { Alert, Button } from 'antd'
import { formatConstant, formatDay } from '../../lib/format.ts'
import { InfoDialog } from '../../ui/dialog.tsx'
import { Pill } from '../../ui/pill.tsx'
import { useChoosePlan, useMayChoose } from './billing-api.ts'
import { priceText } from './billing-labels.ts'
import styles from './plans-dialog.module.css'

/** The price list, with what the owner can do about it. */
export function PlansDialog({ open, usage, onClose }: { open: boolean; usage: Usage; onClose: () => void }) {
  const mayChoose = useMayChoose(usage)
  const choose = useChoosePlan()
  const { plan, price, choosable, to, sample } = usage
  const present = sample?.ownPlan
    ? `This workspace is on the ${sample.ownPlan.name}; ${plan} at ${priceText(price)} is sample data.`
    : `This workspace is on ${plan} at ${priceText(price)}.`
  return (
    <InfoDialog open={open} width={880} title="Plans" onClose={onClose}>
      <Alert
        type="info"
        role="note"
        title={
          mayChoose ? (
            <>
              <b>Nothing is charged.</b> {present} A larger plan takes effect immediately, for the whole of this period.
              A smaller one takes effect on {formatDay(to)}.
            </>
          ) : (
            <>
              <b>{choosable ? 'Only the owner can change the plan.' : 'Only Parley’s support can change the plan.'}</b>{' '}
              {present} Nothing is charged here.
            </>
          )
        }
      />
      <ul className={styles['plans']}>
        {plans.map((entry) => (
          <PlanCard
            key={entry.id}
            plan={entry}
            state={stateOf(entry, usage)}
            onChoose={mayChoose ? () => choose.mutateAsync(entry.id).then(onClose, () => undefined) : undefined}
            isPending={choose.isPending}
          />
        ))}
      </ul>
    </InfoDialog>
  )
}

type PlanState = 'present' | 'next' | 'sales' | 'trial' | 'other'

function stateOf({ id, name }: Plan, { planId, next, sample }: Usage): PlanState {
  if (next?.plan === name) return 'next'
  if (id === (sample?.ownPlan?.id ?? planId)) return 'present'
  if (id === 'free_trial') return 'trial'
  return id === 'pro' ? 'sales' : 'other'
}

const notes: Partial<Record<PlanState, string>> = {
  present: 'Your plan',
  next: 'Starts next period',
  sales: 'Arranged with our sales team',
}

function PlanCard({
  plan,
  state,
  onChoose,
  isPending,
}: {
  plan: Plan
  state: PlanState
  onChoose: (() => void) | undefined
  isPending: boolean
}) {
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
      {notes[state] && <p className={styles['planNote']}>{notes[state]}</p>}
      {state === 'other' && onChoose && (
        <Button block loading={isPending} onClick={onChoose}>
          Choose {plan.name}
        </Button>
      )}
    </li>
  )
}
