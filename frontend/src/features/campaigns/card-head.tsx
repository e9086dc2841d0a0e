import type { AnyCampaign } from '@parley/contracts/campaigns/campaigns'
import cards from '../../ui/cards.module.css'
import { StatusBadge } from '../../ui/status-badge.tsx'
import styles from './campaigns.module.css'
import { statusLabels } from './labels.ts'

/** Head of a card: the campaign's name, audience and status. */
export function CardHead({ name, sub, status }: { name: string; sub: string; status: AnyCampaign['status'] }) {
  const { word, tone } = statusLabels[status]
  return (
    <div className={cards['head']}>
      <div className={cards['titles']}>
        <h2 className={cards['title']} title={name} dir="auto">
          {name}
        </h2>
        <p className={`${cards['sub']} ${styles['line']}`} dir="auto">
          {sub}
        </p>
      </div>
      <StatusBadge tone={tone}>{word}</StatusBadge>
    </div>
  )
}
