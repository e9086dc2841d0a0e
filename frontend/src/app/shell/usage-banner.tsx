import WarningOutlined from '@ant-design/icons/WarningOutlined'
import { countOf, dayOf } from '@parley/contracts/core/english-format'
import { fullerMeter, type Usage, usedPercent } from '@parley/contracts/usage/usage'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useMay } from '../../lib/choices/members.ts'
import { usageOptions } from '../../lib/choices/usage.ts'
import styles from './usage-banner.module.css'

const shownFrom = 90

/** Warns members who send campaigns that the plan is nearly used up, on every screen. */
export function UsageBanner() {
  const { data: usage } = useQuery(usageOptions())
  return usage && usedPercent(usage) >= shownFrom ? <Banner usage={usage} /> : null
}

/** Reads the member's permissions only where there is something to show. */
function Banner({ usage }: { usage: Usage }) {
  const sends = useMay('campaigns:send')
  const seesPlan = useMay('billing:read')
  if (!sends) return null
  return (
    <section className={styles['banner']} aria-label="Plan">
      <WarningOutlined aria-hidden />
      <p>
        {bannerText(usage)} {seesPlan && <Link to="/settings?tab=billing">See the plan</Link>}
      </p>
    </section>
  )
}

/** Returns what is used, what that stops, and what continues. */
export function bannerText(usage: Usage): string {
  const goesOn = 'Replies to customers are always sent.'
  if (usage.ended) return `The free trial ended on ${dayOf(usage.to)}. Campaigns cannot start. ${goesOn}`
  const { name, percent, limit, left } = fullerMeter(usage)
  const until = `until ${dayOf(usage.to)}`
  if (percent >= 100)
    return `All ${countOf(limit)} ${name} in the plan ${until} are used up. Campaigns cannot start. ${goesOn}`
  return `${Math.floor(percent)}% of the plan’s ${name} are used: ${countOf(left)} are left ${until}.`
}
