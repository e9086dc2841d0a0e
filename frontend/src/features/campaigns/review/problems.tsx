import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import { Button } from 'antd'
import { paths } from '../../../app/paths.ts'
import { Link } from '../../../lib/navigation.ts'
import type { Step } from '../new/steps.ts'
import styles from './review.module.css'

type Problem = CampaignReview['problems'][number]

interface Remedy {
  readonly step: Step
  readonly label: string
  readonly elsewhere?: { readonly label: string; readonly to: string }
}

/** Places to fix what keeps a draft from being sent. */
const remedies: Record<Problem['code'], Remedy> = {
  audience_empty: { step: 'audience', label: 'Choose another audience' },
  template_not_approved: {
    step: 'template',
    label: 'Choose another template',
    elsewhere: { label: 'Open Templates', to: paths.templates },
  },
  number_stopped: {
    step: 'schedule',
    label: 'Choose another number',
    elsewhere: { label: 'Open WhatsApp Numbers', to: paths.numbers },
  },
  quota_exceeded: {
    step: 'audience',
    label: 'Choose fewer contacts',
    elsewhere: { label: 'See what is used', to: `${paths.settings}?tab=billing` },
  },
  files_unreachable: { step: 'template', label: 'Change the address of the files' },
  schedule_past: { step: 'schedule', label: 'Choose another time' },
}

const problemsId = 'review-problems'

/** Leads to what keeps it from being sent, from the button that cannot be pressed for it. */
export const showProblems = (): void => document.getElementById(problemsId)?.focus()

/** Shows what keeps a draft from being sent, each with a link to the place to fix it. */
export function Problems({ problems, onEdit }: { problems: readonly Problem[]; onEdit: (step: Step) => void }) {
  if (problems.length === 0) return null
  return (
    <ul id={problemsId} tabIndex={-1} className={styles['notes']} aria-label="What to fix before sending">
      {problems.map(({ code, message }) => {
        const { step, label, elsewhere } = remedies[code]
        return (
          <li key={code} className={styles['note']} data-tone="danger">
            <p>{message}</p>
            <div className={styles['ways']}>
              <Button size="small" onClick={() => onEdit(step)}>
                {label}
              </Button>
              {elsewhere && <Link to={elsewhere.to}>{elsewhere.label}</Link>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
