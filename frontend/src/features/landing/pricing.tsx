import { mostPopularPlan, type Plan, plans } from '@parley/contracts/usage/plans'
import { ActionLink } from '../../ui/action.tsx'
import { contact } from './contact.ts'
import { Glyph } from './glyph.tsx'
import shared from './landing.module.css'
import styles from './pricing.module.css'
import { sections } from './sections.ts'

/** The price list: four equal cards, every cell of the table on one of them. */
export function Pricing() {
  return (
    <section id={sections.pricing} tabIndex={-1} className={shared['section']} aria-labelledby="pricing-title">
      <div className={shared['heading']}>
        <h2 id="pricing-title">Prices that grow with you</h2>
        <p>Start with a 14-day free trial. No credit card, and nothing to cancel if you leave.</p>
      </div>
      <ul className={styles['grid']}>
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} />
        ))}
      </ul>
      <p className={styles['note']}>Prices in Indian rupees (INR).</p>
    </section>
  )
}

function PlanCard({ plan }: { plan: Plan }) {
  const popular = plan.id === mostPopularPlan
  const { amount, period } = priceText(plan)
  return (
    <li className={styles['card']} data-popular={popular || undefined}>
      <div className={styles['head']}>
        <h3>{plan.name}</h3>
        {popular && <span className={styles['badge']}>Most popular</span>}
      </div>
      <p className={styles['price']}>
        <strong>{amount}</strong> {period}
      </p>
      <PlanAction plan={plan} popular={popular} />
      <ul className={styles['rows']}>
        {planRows(plan).map((row) => (
          <li key={row}>
            <span className={styles['check']}>
              <Glyph name="check" />
            </span>
            {row}
          </li>
        ))}
      </ul>
    </li>
  )
}

function PlanAction({ plan, popular }: { plan: Plan; popular: boolean }) {
  if (plan.id === 'pro') {
    return (
      <ActionLink large to={contact.sales}>
        Contact Sales
      </ActionLink>
    )
  }
  return (
    <ActionLink primary={popular} large to="/signup">
      {plan.id === 'free_trial' ? 'Start free trial' : `Choose ${plan.name}`}
    </ActionLink>
  )
}

/** Numbers of the price list are grouped as in '100,000', whatever the reader's locale. */
const number = new Intl.NumberFormat('en-US')

/** `₹2,999` and `per month`, or `₹0` and `for 14 days`. */
export const priceText = ({ priceMinor, trialDays }: Plan): { amount: string; period: string } => ({
  amount: `₹${number.format(priceMinor / 100)}`,
  period: trialDays === undefined ? 'per month' : `for ${trialDays} days`,
})

/** Returns a plan's contents, one line a cell of the table. */
export const planRows = ({ messages, numbers, teamMembers, extras }: Plan): string[] => [
  `${number.format(messages)} messages`,
  numbers === 1 ? '1 WhatsApp number' : `${numbers} WhatsApp numbers`,
  `${teamMembers} team members`,
  ...extras,
]
