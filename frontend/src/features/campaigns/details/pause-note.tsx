import type { Campaign, PauseReason } from '@parley/contracts/campaigns/campaigns'
import { Alert, Button } from 'antd'
import { paths } from '../../../app/paths.ts'
import { Link } from '../../../lib/navigation.ts'
import { pauseLabels, type Shown } from '../labels.ts'
import { ChangedText } from './changed-text.tsx'
import styles from './details.module.css'

/** Places to fix what has paused a campaign. */
const remedies: Partial<Record<PauseReason, { label: string; to: string } | { label: string; shows: Shown }>> = {
  template_not_approved: { label: 'Open Templates', to: paths.templates },
  template_recategorised: { label: 'Open Templates', to: paths.templates },
  template_refused: { label: 'Open Templates', to: paths.templates },
  number_stopped: { label: 'Open WhatsApp Numbers', to: paths.numbers },
  number_quality: { label: 'Open WhatsApp Numbers', to: paths.numbers },
  quota: { label: 'See what is used', to: `${paths.settings}?tab=billing` },
  more_recipients: { label: 'See who they are', shows: 'queued' },
  too_many_failures: { label: 'See who they are', shows: 'failed' },
  files_failed: { label: 'See who they are', shows: 'failed' },
  too_many_unreachable: { label: 'See who they are', shows: 'failed' },
}

/** Shows why a campaign was paused automatically, with a link to what can be done about it. */
export function PauseNote({ campaign, onShow }: { campaign: Campaign; onShow: (recipients: Shown) => void }) {
  const { pausedFor, pauseDetail } = campaign
  if (!pausedFor) return null
  const remedy = remedies[pausedFor]
  return (
    <Alert
      type="warning"
      showIcon
      role="status"
      title={
        <div className={styles['notice']}>
          <p>{pauseLabels[pausedFor]}</p>
          {pauseDetail && <p dir="auto">{pauseDetail}</p>}
          {pausedFor === 'template_changed' && <ChangedText campaign={campaign} />}
          {remedy && 'to' in remedy && <Link to={remedy.to}>{remedy.label}</Link>}
          {remedy && 'shows' in remedy && (
            <div>
              <Button size="small" onClick={() => onShow(remedy.shows)}>
                {remedy.label}
              </Button>
            </div>
          )}
        </div>
      }
    />
  )
}
